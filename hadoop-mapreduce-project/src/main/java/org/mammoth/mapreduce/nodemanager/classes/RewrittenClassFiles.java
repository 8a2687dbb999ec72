// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where engines keep the classes that they rewrite as they load, for the next ones: beside their
 * homes, readable by its user only. A file holds for one release, class path and Java, which its
 * name tells, so that a NodeManager that starts again goes on with what the one before has left. It
 * begins with what {@code mammoth cds} has rewritten ahead, if that is of the same version.
 * Thread-safe.
 */
public final class RewrittenClassFiles {

  private static final Logger LOG = LoggerFactory.getLogger(RewrittenClassFiles.class);

  /** Begins the names of files of classes that are rewritten ahead. */
  static final String AHEAD = "rewritten-";

  /** Ends the names of files for engines with faster records. */
  public static final String FAST = "-fast";

  private final EngineJava java;
  private final String random = UUID.randomUUID().toString();

  @GuardedBy("this")
  private String classPath;

  @GuardedBy("this")
  private String version;

  /**
   * @param java that engines run on
   */
  public RewrittenClassFiles(EngineJava java) {
    this.java = java;
  }

  /**
   * A file for engines of a role.
   *
   * @param prefix begins the names of all such files of the role, of this version and of others
   * @param name of the file
   * @param ahead with which it begins; need not be there
   */
  public record Kept(String prefix, String name, Optional<Path> ahead) {}

  /**
   * The file for engines of a role.
   *
   * @param enginesClassPath their class path: jars and folders, as {@code java.class.path}
   * @param ahead folder of the classes that are rewritten ahead, if there is one
   * @param options by which engines of the role rewrite classes in different ways
   */
  public Kept of(String role, String enginesClassPath, Optional<Path> ahead, String options) {
    String version = version(enginesClassPath) + options;
    String prefix = "classes-" + role + "-";
    return new Kept(prefix, prefix + version, ahead.map(each -> each.resolve(AHEAD + version)));
  }

  /** A file in a folder; is there on return, and none of another version. */
  public Path in(Path folder, Kept kept) throws IOException {
    Path file = folder.resolve(kept.name());
    if (Files.exists(file)) {
      LOG.debug("{} has the classes of earlier engines", file);
      return file;
    }
    begin(file, kept.ahead());
    try (DirectoryStream<Path> earlier = Files.newDirectoryStream(folder, kept.prefix() + "*")) {
      for (Path each : earlier) {
        if (!each.equals(file)) {
          Files.deleteIfExists(each);
        }
      }
    }
    return file;
  }

  /** It gets its name when it is complete; of two engines that begin it at once, one's stays. */
  private static void begin(Path file, Optional<Path> ahead) throws IOException {
    // Only its owner may read and write such a file.
    Path begun = Files.createTempFile(file.getParent(), "begun-", ".classes");
    try {
      if (ahead.isPresent() && Files.isReadable(ahead.get())) {
        try {
          Files.write(begun, Files.readAllBytes(ahead.get()));
        } catch (IOException e) {
          LOG.info("Engines rewrite classes themselves that {} has", ahead.get(), e);
        }
      }
      Files.move(begun, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(begun);
    }
  }

  private synchronized String version(String enginesClassPath) {
    if (!enginesClassPath.equals(classPath)) {
      try {
        version = ClassPathVersion.of(enginesClassPath, java);
      } catch (IOException | UncheckedIOException | InvalidPathException e) {
        LOG.info("Engines of an earlier NodeManager leave no rewritten classes to this one's", e);
        version = random;
      }
      classPath = enginesClassPath;
    }
    return version;
  }
}
