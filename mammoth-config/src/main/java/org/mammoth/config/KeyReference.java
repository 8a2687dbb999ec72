// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Writes the declarations of configuration keys down: as a defaults file, as a reference page. */
public final class KeyReference {

  /**
   * A column of a page's table.
   *
   * @param text what stands in a key's row, as Markdown
   */
  public record Column(String heading, Function<ConfigKey<?>, String> text) {}

  public static final Column NAME = new Column("key", key -> code(key.name()));
  public static final Column DEFAULT = new Column("default", key -> code(key.defaultText()));
  public static final Column ALLOWED = new Column("allowed", ConfigKey::allowed);
  public static final Column MEANING = new Column("meaning", ConfigKey::sentence);
  public static final Column CHANGEABLE = new Column("at run time", ConfigKey::changeableIn);
  public static final Column SCOPE =
      new Column("scope", key -> key.scope().name().toLowerCase(Locale.ROOT));

  private KeyReference() {}

  /** A Hadoop configuration file with every key at its default. */
  public static String defaultsXml(List<ConfigKey<?>> keys) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    for (ConfigKey<?> key : keys) {
      xml.append("  <property>\n");
      element(xml, "name", key.name());
      element(xml, "value", key.defaultText());
      element(xml, "description", key.sentence() + " " + key.allowed());
      if (!key.tags().isEmpty()) {
        element(xml, "tag", key.tags().stream().map(Enum::name).sorted().collect(joining(",")));
      }
      // Hadoop passes over these two; KnownKeys does not.
      if (key.isOfNameNodes()) {
        element(xml, "suffixes", "nameservice.namenode");
      }
      key.formerNames().forEach(name -> element(xml, "deprecated", name));
      xml.append("  </property>\n");
    }
    return xml.append("</configuration>\n").toString();
  }

  private static void element(StringBuilder xml, String name, String text) {
    xml.append("    <").append(name).append('>').append(escape(text));
    xml.append("</").append(name).append(">\n");
  }

  /**
   * A Markdown page with a row for every key.
   *
   * @param introduction heading and what to know before the table
   */
  public static String page(String introduction, List<ConfigKey<?>> keys, Column... columns) {
    StringBuilder page = new StringBuilder(introduction).append("\n\n|");
    for (Column column : columns) {
      page.append(' ').append(column.heading()).append(" |");
    }
    page.append("\n|").append("---|".repeat(columns.length)).append('\n');
    for (ConfigKey<?> key : keys) {
      page.append('|');
      for (Column column : columns) {
        page.append(' ').append(column.text().apply(key).replace("|", "\\|")).append(" |");
      }
      page.append('\n');
    }
    return page.toString();
  }

  private static String code(String text) {
    return text.isBlank() ? "" : "`" + text + "`";
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
