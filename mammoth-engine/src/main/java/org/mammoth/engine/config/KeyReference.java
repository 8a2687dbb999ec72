// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import java.util.List;
import java.util.Locale;

/** Writes the declarations of configuration keys down: as a defaults file, as a reference page. */
public final class KeyReference {

  private KeyReference() {}

  /** A Hadoop configuration file with every key at its default. */
  public static String defaultsXml(List<ConfigKey<?>> keys) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    for (ConfigKey<?> key : keys) {
      xml.append("  <property>\n    <name>")
          .append(key.name())
          .append("</name>\n    <value>")
          .append(escape(key.defaultText()))
          .append("</value>\n    <description>")
          .append(escape(key.sentence()))
          .append(' ')
          .append(escape(range(key)))
          .append("</description>\n  </property>\n");
    }
    return xml.append("</configuration>\n").toString();
  }

  /** A Markdown page with every key. */
  public static String page(List<ConfigKey<?>> keys) {
    StringBuilder page =
        new StringBuilder(
            "# Configuration keys\n\nMade from the declarations in `EngineKeys`; do not edit."
                + " Scope `job`: may be set per job,\nthe node's value is the default. Scope"
                + " `node`: read from the NodeManager's configuration.\n\n| key | default | scope"
                + " | allowed | meaning |\n|---|---|---|---|---|\n");
    for (ConfigKey<?> key : keys) {
      page.append("| `")
          .append(key.name())
          .append("` | ")
          .append(key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`")
          .append(" | ")
          .append(key.scope().name().toLowerCase(Locale.ROOT))
          .append(" | ")
          .append(range(key).replace("|", "\\|"))
          .append(" | ")
          .append(key.sentence())
          .append(" |\n");
    }
    return page.toString();
  }

  private static String range(ConfigKey<?> key) {
    return key.range() + (key.unit().isEmpty() ? "" : " " + key.unit());
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
