package org.mammoth.mapreduce.nodemanager;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where engines keep the classes that they rewrite as they load, for the next ones: beside their
 * homes, readable by its user only. A file holds for one release, class path and Java, which its
 * name tells, so that a NodeManager that starts again goes on with what the one before has left.
 * Thread-safe.
 */
final class RewrittenClassFiles {

  private static final Logger LOG = LoggerFactory.getLogger(RewrittenClassFiles.class);

  private static final int NAME_BYTES = 12;

  private final String classPath;
  private String version;

  /**
   * For engines of one class path.
   *
   * @param classPath of the engines: jars and folders, as {@code java.class.path}
   */
  RewrittenClassFiles(String classPath) {
    this.classPath = classPath;
  }

  /** Begins the names of all such files of a role, of this release's and of others. */
  static String prefix(String role) {
    return "classes-" + role + "-";
  }

  /**
   * The name of the file for engines of a role.
   *
   * @param options by which engines of the role rewrite classes in different ways
   */
  String name(String role, String options) {
    return prefix(role) + version() + options;
  }

  /** The file for engines of a role on the disk of a home; is there on return. */
  Path of(EngineHome home, String role, String options) throws IOException {
    Path folder = home.folder().getParent();
    String prefix = prefix(role);
    Path file = folder.resolve(name(role, options));
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

  /**
   * Tells one release, class path and Java from another, as the JVM does for its class archive: by
   * length and time of each jar, and also by its inode and the time of its last change of any kind.
   */
  private synchronized String version() {
    if (version == null) {
      try {
        MessageDigest all = sha256();
        add(all, System.getProperty("java.home"));
        add(all, System.getProperty("java.vm.version"));
        for (String entry : classPath.split(File.pathSeparator)) {
          add(all, Path.of(entry));
        }
        version = HexFormat.of().formatHex(all.digest(), 0, NAME_BYTES);
      } catch (IOException | UncheckedIOException | InvalidPathException e) {
        LOG.info("Engines of an earlier NodeManager leave no rewritten classes to this one's", e);
        version = UUID.randomUUID().toString();
      }
    }
    return version;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void add(MessageDigest all, Path entry) throws IOException {
    if (Files.isRegularFile(entry)) {
      addFile(all, entry);
    } else if (Files.isDirectory(entry)) {
      List<Path> classes;
      try (Stream<Path> files = Files.walk(entry)) {
        classes = files.filter(file -> file.toString().endsWith(".class")).sorted().toList();
      }
      for (Path each : classes) {
        addFile(all, each);
      }
    }
  }

  private static void addFile(MessageDigest all, Path file) throws IOException {
    add(all, file.toString());
    try {
      Map<String, Object> is =
          new TreeMap<>(Files.readAttributes(file, "unix:size,lastModifiedTime,ctime,ino,dev"));
      add(all, is.toString());
    } catch (NoSuchFileException e) {
      add(all, "is gone");
    }
  }

  private static void add(MessageDigest all, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    all.update((byte) 0);
    all.update(bytes);
  }
}
