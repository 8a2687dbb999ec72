// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Tries a directory of the local file system. */
public final class FileDirProbe implements DirProbe {

  private static final int BYTES = 4096;

  @Override
  public void tryFile(Path dir) throws IOException {
    Path file = dir.resolve(".mammoth-probe-" + UUID.randomUUID());
    byte[] pattern = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      pattern[i] = (byte) (i * 31);
    }
    try {
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.WRITE,
              StandardOpenOption.READ)) {
        ByteBuffer out = ByteBuffer.wrap(pattern);
        while (out.hasRemaining()) {
          channel.write(out);
        }
        channel.force(true);
        ByteBuffer back = ByteBuffer.allocate(BYTES);
        while (back.hasRemaining() && channel.read(back, back.position()) > 0) {
          // until it is whole
        }
        if (!back.flip().equals(ByteBuffer.wrap(pattern))) {
          throw new IOException("a probe file in " + dir + " did not come back as it was written");
        }
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public long usableBytes(Path dir) throws IOException {
    return Files.getFileStore(dir).getUsableSpace();
  }
}
