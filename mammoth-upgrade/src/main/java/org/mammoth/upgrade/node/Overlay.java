// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.mammoth.upgrade.tree.JavaHome;

/**
 * The yarn-site.xml that a NodeManager with Mammoth finds first on its class path. It includes the
 * administrator's own, which is read anew at each start, and sets behind it the keys that a
 * NodeManager needs: each has one value, so that no list of the administrator's is touched.
 */
final class Overlay {

  static final String EXECUTOR_KEY = "yarn.nodemanager.container-executor.class";
  static final String SHUFFLE_KEY = "yarn.nodemanager.aux-services.mapreduce_shuffle.class";

  private Overlay() {}

  /**
   * What is set, in the order of the file.
   *
   * @param enginesJava home of the Java that engines need beside the NodeManager's
   */
  static Map<String, String> keys(Optional<Path> enginesJava) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put(EXECUTOR_KEY, "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor");
    keys.put(SHUFFLE_KEY, "org.mammoth.mapreduce.nodemanager.MammothShuffleHandler");
    enginesJava.ifPresent(home -> keys.put(JavaHome.ENGINES_KEY, home.toString()));
    return keys;
  }

  /**
   * The file's text.
   *
   * @param included the administrator's yarn-site.xml
   * @param keys what is set
   */
  static String text(Path included, Map<String, String> keys) {
    StringBuilder text = new StringBuilder();
    text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text.append("<!-- Written by mammoth-upgrade. The NodeManager reads this file in place of\n");
    text.append("     the included one: change that, not this. -->\n");
    text.append("<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">\n");
    text.append("  <xi:include href=\"").append(escaped(included.toString())).append("\"/>\n");
    keys.forEach(
        (key, value) ->
            text.append("  <property>\n    <name>")
                .append(key)
                .append("</name>\n    <value>")
                .append(escaped(value))
                .append("</value>\n  </property>\n"));
    return text.append("</configuration>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
