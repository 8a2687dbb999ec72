// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file in a folder that belongs to somebody who may do with it what they like: the NodeManager
 * reads it as data of theirs, follows no link that the file itself is, and takes a bounded part.
 * Whoever owns folders above it can lead the way elsewhere, unless the way is gone step by step.
 */
final class PrivateFile {

  private static final Set<? extends OpenOption> TO_READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private PrivateFile() {}

  /**
   * The end of a file as text, found by a way that is no link from {@code own} on.
   *
   * @param own a folder of the NodeManager's
   * @param way from there; the NodeManager may list each folder on it
   * @param most bytes at most
   * @throws java.nio.file.NoSuchFileException if there is none yet
   * @throws IOException if it is no plain file, or a link is on the way
   */
  static String end(Path own, Path way, int most) throws IOException {
    try (DirectoryStream<Path> folder = Files.newDirectoryStream(own)) {
      if (folder instanceof SecureDirectoryStream<Path> secure) {
        return end(secure, way, most);
      }
      throw new IOException(own + " cannot be read without following links on this system");
    }
  }

  private static String end(SecureDirectoryStream<Path> folder, Path way, int most)
      throws IOException {
    Path first = way.getName(0);
    if (way.getNameCount() > 1) {
      try (SecureDirectoryStream<Path> next =
          folder.newDirectoryStream(first, LinkOption.NOFOLLOW_LINKS)) {
        return end(next, way.subpath(1, way.getNameCount()), most);
      }
    }
    BasicFileAttributes attributes =
        folder
            .getFileAttributeView(first, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .readAttributes();
    checkPlain(first, attributes);
    try (SeekableByteChannel in = folder.newByteChannel(first, TO_READ)) {
      return end(in, most);
    }
  }

  /**
   * The end of a file as text.
   *
   * @param most bytes at most
   * @throws java.nio.file.NoSuchFileException if there is none yet
   * @throws IOException if it is no plain file, or a link
   */
  static String end(Path file, int most) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    checkPlain(file, attributes);
    try (SeekableByteChannel in = Files.newByteChannel(file, TO_READ)) {
      return end(in, most);
    }
  }

  /** A pipe would hold its reader up. */
  private static void checkPlain(Path file, BasicFileAttributes attributes) throws IOException {
    if (!attributes.isRegularFile()) {
      throw new IOException(file + " is no plain file");
    }
  }

  private static String end(SeekableByteChannel in, int most) throws IOException {
    long size = in.size();
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(most, size));
    in.position(size - bytes.capacity());
    while (bytes.hasRemaining() && in.read(bytes) >= 0) {
      continue;
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  /** Writes a copy of such a file that the NodeManager's user and group alone can read. */
  static void copy(String text, Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }
}
