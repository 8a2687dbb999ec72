package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A local file. */
public final class FileSource implements Source {

  private final Path path;
  private FileChannel channel;

  public FileSource(Path path) {
    this.path = path;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public int read(long position, ByteBuffer into) throws IOException {
    if (channel == null) {
      channel = FileChannel.open(path, StandardOpenOption.READ);
    }
    return channel.read(into, position);
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
