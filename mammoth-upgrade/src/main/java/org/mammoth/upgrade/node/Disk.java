// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes to the file system, each of which is either done or not done after a crash: files and
 * links come into being under another name, are forced to disk and renamed. Every change may be
 * repeated. One thread.
 */
public final class Disk {

  /** Called before each change; a test ends the run there. */
  public interface Moment {
    /**
     * A change is about to be made.
     *
     * @param what for example {@code rename /opt/hadoop/mammoth/current}
     * @throws IOException as the change itself might
     */
    void before(String what) throws IOException;
  }

  private final Moment moment;

  /**
   * @param moment told of each change; must not change the file system
   */
  public Disk(Moment moment) {
    this.moment = moment;
  }

  /** Makes a folder in one that is there. */
  public void makeFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      moment.before("mkdir " + folder);
      try {
        Files.createDirectory(folder);
        permit(folder, "rwxr-xr-x");
      } catch (FileAlreadyExistsException another) {
        return;
      }
    }
  }

  /** Writes a small file that others find whole or not at all. */
  public void write(Path file, String text) throws IOException {
    Path other = beside(file);
    moment.before("write " + other);
    Files.deleteIfExists(other);
    try (FileChannel out =
        FileChannel.open(
            other,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    readable(other);
    rename(other, file);
  }

  /** Copies a file into a folder that is not in use yet. */
  public void copy(Path from, Path to) throws IOException {
    moment.before("copy " + to);
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    readable(to);
    try (FileChannel out =
        FileChannel.open(to, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      out.force(true);
    }
  }

  /** Renames, and forces the name to disk. */
  public void rename(Path from, Path to) throws IOException {
    moment.before("rename " + to);
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    force(to.getParent());
  }

  /** Has a link lead elsewhere from one moment to the next. */
  public void link(Path link, Path target) throws IOException {
    Path other = beside(link);
    moment.before("link " + other);
    Files.deleteIfExists(other);
    Files.createSymbolicLink(other, target);
    rename(other, link);
  }

  /** Removes a file, a link or an empty folder, if it is there. */
  public void remove(Path path) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      moment.before("remove " + path);
      Files.deleteIfExists(path);
    }
    force(path.getParent());
  }

  /** Removes a folder with all in it; never follows a link. */
  public void removeAll(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    moment.before("remove " + path + " and all in it");
    try (DirectoryStream<Path> folder = Files.newDirectoryStream(path.getParent())) {
      removeFrom((SecureDirectoryStream<Path>) folder, path.getFileName());
    }
    force(path.getParent());
  }

  /** Goes down by folders that are open, so that none can be exchanged for a link meanwhile. */
  private static void removeFrom(SecureDirectoryStream<Path> folder, Path name) throws IOException {
    try {
      boolean isFolder =
          folder
              .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes()
              .isDirectory();
      if (!isFolder) {
        folder.deleteFile(name);
        return;
      }
      try (SecureDirectoryStream<Path> inner =
          folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        List<Path> names = new ArrayList<>();
        inner.forEach(entry -> names.add(entry.getFileName()));
        for (Path each : names) {
          removeFrom(inner, each);
        }
      }
      folder.deleteDirectory(name);
    } catch (NoSuchFileException gone) {
      return;
    }
  }

  /** Says that something outside the file system is about to be done. */
  public void moment(String what) throws IOException {
    moment.before(what);
  }

  /**
   * Opens a file of ours for writing, which is made if it is not there. Others may have made a link
   * of its name: that is not followed.
   */
  static FileChannel openOwn(Path file, OpenOption how) throws IOException {
    boolean isNew = !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS,
            how);
    if (isNew) {
      readable(file);
    }
    return channel;
  }

  /** Daemons of other users read it, whatever this user's umask is. */
  private static void readable(Path file) throws IOException {
    permit(file, "rw-r--r--");
  }

  private static void permit(Path path, String mode) throws IOException {
    Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setPermissions(PosixFilePermissions.fromString(mode));
  }

  /** Where something is made before it gets its name. */
  private static Path beside(Path path) {
    return path.resolveSibling("." + path.getFileName() + ".new");
  }

  private static void force(Path folder) throws IOException {
    try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
      directory.force(true);
    } catch (NoSuchFileException gone) {
      return;
    }
  }
}
