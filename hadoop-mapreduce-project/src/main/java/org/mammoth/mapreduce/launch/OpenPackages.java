// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Packages of the JDK that an engine opens to all code, as tasks' own JVMs do by options of their
 * jobs: what Hadoop's launch script opens, and what Hive, Spark, Kryo and the like tell their users
 * to open on Java 17. Stateless.
 */
public final class OpenPackages {

  /** It went with the SecurityManager. */
  private static final String ACTIONS = "sun.security.action";

  private static final int LAST_JAVA_WITH_ACTIONS = 24;

  private static final List<String> NAMES =
      List.of(
          "java.io",
          "java.lang",
          "java.lang.invoke",
          "java.lang.reflect",
          "java.math",
          "java.net",
          "java.nio",
          "java.text",
          "java.time",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "java.util.concurrent.locks",
          "java.util.regex",
          "java.util.zip",
          "sun.net.dns",
          "sun.net.util",
          "sun.nio.ch",
          "sun.nio.cs",
          ACTIONS,
          "sun.security.util",
          "sun.security.x509",
          "sun.util.calendar");

  private static final Pattern OPTION =
      Pattern.compile("--add-(?:opens|exports)=java\\.base/([\\w.]+)=ALL-UNNAMED");

  private OpenPackages() {}

  /**
   * What an engine's JVM is told.
   *
   * @param java the first number of its version
   */
  public static List<String> options(int java) {
    return NAMES.stream()
        .filter(name -> java <= LAST_JAVA_WITH_ACTIONS || !name.equals(ACTIONS))
        .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
        .toList();
  }

  /** Whether a job's option opens what is open in every engine. */
  static boolean include(String option) {
    Matcher opens = OPTION.matcher(option);
    return opens.matches() && NAMES.contains(opens.group(1));
  }
}
