// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.List;
import java.util.Objects;

/**
 * System properties that the JDK itself reads while it runs. A task's properties are its own, but
 * the JDK sees those of the JVM, so that a task that sets one of these needs a process. Stateless.
 */
public final class JdkProperties {

  private static final List<String> PREFIXES =
      List.of(
          "com.sun.",
          "ftp.",
          "http.",
          "https.",
          "java.awt.",
          "java.naming.",
          "java.net.",
          "java.protocol.",
          "java.rmi.",
          "java.security.",
          "java.util.concurrent.",
          "java.util.logging.",
          "javax.",
          "jdk.",
          "networkaddress.",
          "org.w3c.dom.",
          "org.xml.sax.",
          "socksProxy",
          "sun.",
          "user.country",
          "user.language",
          "user.timezone");

  /** Older JDKs read it; Netty sets it before it makes its first selector. */
  private static final String READ_NO_MORE = "sun.nio.ch.bugLevel";

  private JdkProperties() {}

  /** Whether the JDK reads the property from the JVM's own. */
  public static boolean reads(String key) {
    return !key.equals(READ_NO_MORE) && PREFIXES.stream().anyMatch(key::startsWith);
  }

  /**
   * Ends the calling task's attempt if it is about to change a property the JDK reads.
   *
   * @param value null if the property is to go
   */
  static void setting(String key, String value) {
    if (reads(key) && !Objects.equals(value, System.getProperty(key))) {
      ProcessNeed.because("System.setProperty of " + key + ", which the JDK reads");
    }
  }
}
