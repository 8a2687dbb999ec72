// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** The local file system. */
public class LocalSsdFiles implements SsdFiles {

  @Override
  public void makeFolder(Path folder) throws IOException {
    Files.createDirectories(folder);
  }

  @Override
  public OutputStream create(Path file) throws IOException {
    FileOutputStream target = new FileOutputStream(file.toFile());
    return new FilterOutputStream(target) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        target.write(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        try (target) {
          target.getFD().sync();
        }
      }
    };
  }

  @Override
  public FileInputStream open(Path file) throws IOException {
    return new FileInputStream(file.toFile());
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Override
  public long usableBytes(Path folder) throws IOException {
    return Files.getFileStore(folder).getUsableSpace();
  }
}
