package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where engines keep the classes that they rewrite as they load, for the next ones of this
 * NodeManager: beside their homes, readable by its user only. One of another NodeManager, or of
 * this one when it starts again, may have another release or class path, so none is used again.
 * Thread-safe.
 */
final class RewrittenClassFiles {

  private static final Logger LOG = LoggerFactory.getLogger(RewrittenClassFiles.class);

  private final String startedBy = UUID.randomUUID().toString();

  /** Begins the names of all such files of a role, of this NodeManager's and of others. */
  static String prefix(String role) {
    return "classes-" + role + "-";
  }

  /** The file of this NodeManager's engines of a role. */
  String name(String role) {
    return prefix(role) + startedBy;
  }

  /** The file for engines of a role on the disk of a home; is there on return. */
  Path of(EngineHome home, String role) throws IOException {
    Path folder = home.folder().getParent();
    String prefix = prefix(role);
    Path file = folder.resolve(name(role));
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      LOG.debug("{} has the classes of earlier engines", file);
      return file;
    }
    try (DirectoryStream<Path> earlier = Files.newDirectoryStream(folder, prefix + "*")) {
      for (Path each : earlier) {
        if (!each.equals(file)) {
          Files.deleteIfExists(each);
        }
      }
    }
    return file;
  }
}
