// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where an engine lives that runs as its user: a folder of a container that YARN knows nothing of.
 * Kept in the home that the NodeManager has of the engine, so that its successor finds it.
 *
 * @param folder that of the container, which the NodeManager may pass and not list
 * @param logs that of the container's logs, which it may read
 */
record EnginePlace(Path folder, Path logs) {

  private static final String FILE = "place";

  /** A place in local and log directories of the NodeManager's. */
  static EnginePlace of(
      Path localDir, Path logDir, String user, String application, String container) {
    return new EnginePlace(
        localDir
            .resolve("usercache")
            .resolve(user)
            .resolve("appcache")
            .resolve(application)
            .resolve(container),
        logDir.resolve(application).resolve(container));
  }

  /** Reads what {@link #keep} has written into a home; empty if there is nothing. */
  static Optional<EnginePlace> in(Path home) throws IOException {
    try {
      List<String> lines = Files.readAllLines(home.resolve(FILE), StandardCharsets.UTF_8);
      return lines.size() < 2
          ? Optional.empty()
          : Optional.of(new EnginePlace(Path.of(lines.get(0)), Path.of(lines.get(1))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  void keep(Path home) throws IOException {
    Files.write(
        home.resolve(FILE), List.of(folder.toString(), logs.toString()), StandardCharsets.UTF_8);
  }

  /** The engine's home in the container's folder, of the same name as the NodeManager's of it. */
  Path home(String engineId) {
    return folder.resolve(engineId);
  }

  /** What the engine writes to its own output. */
  Path output() {
    return logs.resolve("engine.out");
  }

  /** The log directory of the NodeManager's in which its logs are. */
  Path logDir() {
    return rootOf(logs, 2);
  }

  /** Files of one user's engines, next to their containers' folders. */
  Path shared() {
    return folder.getParent().getParent().resolveSibling("mammoth");
  }

  /**
   * The folders that go with the engine.
   *
   * @param localDirs of the NodeManager: the launch makes folders in all of them
   */
  List<Path> allFolders(List<Path> localDirs) {
    Path application = folder.getParent();
    Path below = rootOf(application, 4).relativize(application);
    return localDirs.stream().map(dir -> dir.resolve(below)).toList();
  }

  /** The same of its logs. */
  List<Path> allLogs(List<Path> logDirs) {
    return logDirs.stream().map(dir -> dir.resolve(logs.getParent().getFileName())).toList();
  }

  private static Path rootOf(Path path, int levels) {
    Path root = path;
    for (int level = 0; level < levels; level++) {
      root = root.getParent();
    }
    return root;
  }
}
