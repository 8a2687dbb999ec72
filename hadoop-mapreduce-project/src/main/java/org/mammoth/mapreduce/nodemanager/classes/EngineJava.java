// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.isolation.classfile.ReadableClasses;
import org.mammoth.mapreduce.launch.OpenPackages;

/**
 * The Java that engines run on: the NodeManager's own, unless {@code mammoth.engine.java-home}
 * names another one, as where the daemons still run on Java 11. Immutable.
 */
public final class EngineJava {

  private static final int OLDEST = 17;
  private static final int LAST_WITH_SECURITY_MANAGER = 23;

  private final Path home;

  private EngineJava(Path home) {
    this.home = home;
  }

  /** The one that is configured. */
  public static EngineJava of(Configuration conf) {
    String configured = EngineKeys.JAVA_HOME.get(conf).trim();
    return configured.isEmpty() ? ofThisProcess() : new EngineJava(Path.of(configured));
  }

  /** This process's own. */
  public static EngineJava ofThisProcess() {
    return new EngineJava(Path.of(System.getProperty("java.home")));
  }

  /** Its program. */
  public Path program() {
    return home.resolve("bin").resolve("java");
  }

  /** Why no engine can run on it; empty if nothing is known against it. */
  public Optional<String> unfit() {
    String remedy = "; set " + EngineKeys.JAVA_HOME.name() + " to a Java " + OLDEST + " or later";
    if (!Files.isExecutable(program())) {
      return Optional.of(program() + " cannot be run" + remedy);
    }
    try {
      int feature = feature();
      if (feature < OLDEST) {
        return Optional.of(
            "engines need Java " + OLDEST + ", and " + home + " has " + feature + remedy);
      }
      return ReadableClasses.ofJava(feature)
          ? Optional.empty()
          : Optional.of(
              "the asm on the NodeManager's class path is too old to read classes of Java "
                  + feature
                  + "; put a newer one in its place, or set "
                  + EngineKeys.JAVA_HOME.name()
                  + " to an older Java from "
                  + OLDEST
                  + " on");
    } catch (IOException e) {
      return Optional.of(
          "of which Java " + home + " is cannot be told: " + e.getMessage() + remedy);
    } catch (LinkageError e) {
      // Said more exactly where user classes are rewritten on trial.
      return isOwn() ? Optional.empty() : Optional.of("asm is missing on the class path: " + e);
    }
  }

  /**
   * The first number of its version.
   *
   * @throws IOException if it cannot be told
   */
  public int feature() throws IOException {
    if (isOwn()) {
      return Runtime.version().feature();
    }
    Properties release = new Properties();
    release.load(new StringReader(release()));
    String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
    try {
      return Runtime.Version.parse(version).feature();
    } catch (IllegalArgumentException e) {
      throw new IOException(home.resolve("release") + " has no JAVA_VERSION that can be read");
    }
  }

  /** What a JVM of it is told so that jobs find open what they need, and Hadoop who acts. */
  public List<String> options() throws IOException {
    int java = feature();
    List<String> options = new ArrayList<>(OpenPackages.options(java));
    if (java <= LAST_WITH_SECURITY_MANAGER) {
      // There is none, but Java 23 tells nobody who acts where there may be none.
      options.add("-Djava.security.manager=allow");
    }
    return options;
  }

  /** What tells one build of Java in one folder from another. */
  String version() throws IOException {
    String build =
        Files.isReadable(home.resolve("release")) || !isOwn()
            ? release()
            : System.getProperty("java.vm.version");
    return home + " " + build;
  }

  private String release() throws IOException {
    return Files.readString(home.resolve("release"));
  }

  /** Whether it is this process's. */
  public boolean isOwn() {
    return home.equals(Path.of(System.getProperty("java.home")));
  }
}
