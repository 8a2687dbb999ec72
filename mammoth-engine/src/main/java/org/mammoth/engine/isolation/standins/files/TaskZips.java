// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.HashMap;
import java.util.Map;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * The file systems of jars and zips that one task has opened by their URIs. The JDK knows one of
 * each for the whole JVM and refuses the second who opens it. Thread-safe.
 */
final class TaskZips {
  static final String SCHEME = "jar";

  private final Map<Path, FileSystem> open = new HashMap<>();

  /** The caller's; null if no task calls or the URI is of another kind. */
  static TaskZips ofCallerFor(String scheme) {
    TaskProcess process = SCHEME.equalsIgnoreCase(scheme) ? Owners.callerOrNull() : null;
    return process == null ? null : process.part(TaskZips.class, TaskZips::new);
  }

  synchronized FileSystem open(FileSystemProvider provider, URI uri, Map<String, ?> env)
      throws IOException {
    Path file = file(uri);
    if (Files.exists(file) && known(file.toRealPath()) != null) {
      throw new FileSystemAlreadyExistsException();
    }
    // Of a path: that one the provider does not register.
    FileSystem made = provider.newFileSystem(file, env);
    open.put(file.toRealPath(), made);
    return made;
  }

  synchronized FileSystem get(URI uri) {
    Path file = file(uri);
    FileSystem known;
    try {
      known = known(file.toRealPath());
    } catch (IOException e) {
      throw new FileSystemNotFoundException(e.getMessage());
    }
    if (known == null) {
      throw new FileSystemNotFoundException();
    }
    return known;
  }

  Path path(URI uri) {
    String rest = uri.getSchemeSpecificPart();
    int at = rest.indexOf("!/");
    if (at < 0) {
      throw new IllegalArgumentException(
          "URI: " + uri + " does not contain path info ex. jar:file:/c:/foo.zip!/BAR");
    }
    return get(uri).getPath(rest.substring(at + 1));
  }

  private FileSystem known(Path real) {
    FileSystem known = open.get(real);
    if (known != null && !known.isOpen()) {
      open.remove(real);
      return null;
    }
    return known;
  }

  private static Path file(URI uri) {
    String rest = uri.getRawSchemeSpecificPart();
    int at = rest.indexOf("!/");
    return PathCalls.path(Path.of(URI.create(at < 0 ? rest : rest.substring(0, at))))
        .toAbsolutePath();
  }
}
