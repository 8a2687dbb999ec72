// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * System properties that the JDK itself reads while it runs, and those that classes which tasks
 * share read once, as they are initialised. A task's properties are its own, but these see those of
 * the JVM, so that a task that sets one needs a process. Stateless.
 */
public final class JdkProperties {

  private static final List<String> PREFIXES =
      List.of(
          "com.sun.",
          "ftp.",
          "http.",
          "https.",
          "java.awt.",
          "java.content.",
          "java.iccprofile.",
          "java.locale.",
          "java.naming.",
          "java.net.",
          "java.nio.",
          "java.protocol.",
          "java.rmi.",
          "java.security.",
          "java.time.zone.",
          "java.util.",
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

  /** Those of a name that programs may begin their own with. */
  private static final Set<String> NAMES =
      Set.of(
          "content.types.user.table",
          "elementAttributeLimit",
          "entityExpansionLimit",
          "ftpProxyHost",
          "ftpProxyPort",
          "jdbc.drivers",
          "maxOccurLimit",
          "proxyHost",
          "proxyPort",
          "socksNonProxyHosts");

  /** Older JDKs read it; Netty sets it before it makes its first selector. */
  private static final String READ_NO_MORE = "sun.nio.ch.bugLevel";

  private JdkProperties() {}

  /** Written by the census, which finds them in the files of all shared classes. */
  private static final String LIBRARIES = "library-properties.txt";

  private static final class Once {
    static final Set<String> NAMES = read();

    private static Set<String> read() {
      try (InputStream in = JdkProperties.class.getResourceAsStream(LIBRARIES)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .collect(Collectors.toUnmodifiableSet());
      } catch (IOException e) {
        throw new UncheckedIOException(LIBRARIES + " cannot be read", e);
      }
    }
  }

  /** What shared classes read once, without what the JDK reads, too. */
  public static Set<String> readOnce() {
    return Once.NAMES;
  }

  /** Whether the JDK reads the property from the JVM's own. */
  public static boolean reads(String key) {
    return NAMES.contains(key)
        || !key.equals(READ_NO_MORE) && PREFIXES.stream().anyMatch(key::startsWith);
  }

  /**
   * Ends the calling task's attempt if it is about to change a property that others read; of one
   * that has its JVM to itself it becomes the JVM's, too.
   *
   * @param value null if the property is to go
   */
  public static void setting(String key, String value) {
    String reader = reads(key) ? "the JDK reads" : "a library reads once for all tasks";
    if ((reads(key) || readOnce().contains(key))
        && !Objects.equals(value, System.getProperty(key))) {
      ProcessNeed.because("System.setProperty of " + key + ", which " + reader);
      if (Owners.callerOrNull() != null) {
        setOfJvm(key, value);
      }
    }
  }

  private static void setOfJvm(String key, String value) {
    if (value == null) {
      System.clearProperty(key);
    } else {
      System.setProperty(key, value);
    }
  }
}
