package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * A file in a folder that belongs to somebody who may do with it what they like: the NodeManager
 * reads it as data of theirs, follows no link that the file itself is, and takes a bounded part.
 */
final class PrivateFile {

  private PrivateFile() {}

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
    // A pipe would hold its reader up.
    if (!attributes.isRegularFile()) {
      throw new IOException(file + " is no plain file");
    }
    try (SeekableByteChannel in =
        Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(most, in.size()));
      in.position(in.size() - bytes.capacity());
      while (bytes.hasRemaining() && in.read(bytes) >= 0) {
        continue;
      }
      return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }
  }
}
