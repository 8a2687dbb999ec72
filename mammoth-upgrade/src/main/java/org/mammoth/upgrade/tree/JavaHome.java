// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.mammoth.config.names.KeyNames;

/**
 * An installation of Java.
 *
 * @param folder its home
 */
public record JavaHome(Path folder) {

  /** The key by which engines have another Java than their NodeManager. */
  public static final String ENGINES_KEY = KeyNames.ENGINE_JAVA_HOME;

  /** Which daemons and clients can load our jars. */
  public static final int OLDEST_OF_DAEMONS = 11;

  /** Which engines can run on. */
  public static final int OLDEST_OF_ENGINES = 17;

  /** The one of a folder's name. */
  public JavaHome(String folder) {
    this(Path.of(folder));
  }

  /** The one that this tool runs on, which its script has chosen for engines as well. */
  public static JavaHome ofThisTool() {
    return new JavaHome(Path.of(System.getProperty("java.home")));
  }

  /** The first number of its version, from its file {@code release}; empty if that tells none. */
  public Optional<Integer> feature() throws IOException {
    Path release = folder.resolve("release");
    if (!Files.isReadable(release)) {
      return Optional.empty();
    }
    return Files.readAllLines(release).stream()
        .filter(line -> line.startsWith("JAVA_VERSION="))
        .map(line -> line.replaceAll("[^\\d.]", "").replaceFirst("^1\\.", ""))
        .filter(number -> !number.isEmpty())
        .map(number -> Integer.parseInt(number.split("\\.")[0]))
        .findFirst();
  }

  /** What a configuration names for engines; an empty value names none. */
  public static Optional<JavaHome> chosenIn(SiteConfig node) {
    return node.find(ENGINES_KEY).filter(value -> !value.isEmpty()).map(JavaHome::new);
  }

  /** Which Java it is, and where. */
  public String text() throws IOException {
    return "Java " + feature().map(String::valueOf).orElse("of unknown version") + " in " + folder;
  }

  /**
   * What engines are to run on, if not on their NodeManager's Java.
   *
   * @param nodeManagers what the NodeManager runs on, if it runs and can be seen
   * @param node what the administrator set
   */
  public static Optional<JavaHome> ofEngines(Optional<Path> nodeManagers, SiteConfig node)
      throws IOException {
    Optional<JavaHome> chosen = chosenIn(node);
    if (chosen.isPresent()) {
      return chosen;
    }
    return nodeManagers.isPresent() && new JavaHome(nodeManagers.get()).isForDaemonsOnly()
        ? Optional.of(ofThisTool())
        : Optional.empty();
  }

  /** Whether daemons can run on it, but engines cannot. */
  public boolean isForDaemonsOnly() throws IOException {
    return feature()
        .filter(found -> found >= OLDEST_OF_DAEMONS && found < OLDEST_OF_ENGINES)
        .isPresent();
  }
}
