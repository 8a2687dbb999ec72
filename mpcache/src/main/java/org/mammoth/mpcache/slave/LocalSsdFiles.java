// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The local file system. */
public class LocalSsdFiles implements SsdFiles {

  private static final Set<PosixFilePermission> OWN_FOLDER =
      PosixFilePermissions.fromString("rwx------");

  static final Set<PosixFilePermission> OWN_FILE = PosixFilePermissions.fromString("rw-------");

  @Override
  public void makeFolder(Path folder) throws IOException {
    makeParents(folder);
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWN_FOLDER));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
      // The system refuses if it is another user's.
      Files.setPosixFilePermissions(folder, OWN_FOLDER);
    }
  }

  /** Some releases of Java refuse to make a folder that is there as a link to one. */
  public static void makeParents(Path file) throws IOException {
    if (!Files.isDirectory(file.getParent())) {
      Files.createDirectories(file.getParent());
    }
  }

  @Override
  public OutputStream create(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(file, PosixFilePermissions.asFileAttribute(OWN_FILE));
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
    } catch (UncheckedIOException e) {
      // So a folder below is reported that cannot be opened or read.
      throw e.getCause();
    }
  }

  @Override
  public long usableBytes(Path folder) throws IOException {
    return Files.getFileStore(folder).getUsableSpace();
  }
}
