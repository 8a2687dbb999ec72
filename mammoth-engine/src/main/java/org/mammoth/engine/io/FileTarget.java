package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A local file that must not exist yet; its folder must. */
public final class FileTarget implements Target {

  private final Path path;
  private FileChannel channel;

  public FileTarget(Path path) {
    this.path = path;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public void open() throws IOException {
    channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  @Override
  public void force() throws IOException {
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public void abort() throws IOException {
    if (channel != null) {
      try {
        channel.close();
      } finally {
        Files.deleteIfExists(path);
      }
    }
  }
}
