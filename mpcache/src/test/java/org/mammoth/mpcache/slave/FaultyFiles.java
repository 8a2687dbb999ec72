// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The local file system with the faults a test asks for. */
final class FaultyFiles extends LocalSsdFiles {

  /** Below these folders nothing works. */
  final Set<Path> dead = ConcurrentHashMap.newKeySet();

  /** What the system says to whoever writes below these folders, where it does not let him. */
  final Map<Path, String> refusals = new ConcurrentHashMap<>();

  volatile boolean full;
  volatile boolean writesFail;
  volatile boolean flipsOnWrite;
  volatile boolean renamesFail;
  volatile boolean noDescriptors;

  /** Hears of each file that is opened. */
  volatile Consumer<Path> opened = file -> {};

  /** Hears of each file that is deleted, before it is. */
  volatile Consumer<Path> deleted = file -> {};

  /** Is run when a probe is about to be read, once. */
  volatile Runnable beforeProbeIsRead;

  /** As a process at its limit is told. */
  private void takeDescriptor(Path file) throws IOException {
    if (noDescriptors) {
      throw new FileNotFoundException(file + " (Too many open files)");
    }
  }

  private void check(Path file) throws IOException {
    for (Path folder : dead) {
      if (file.startsWith(folder)) {
        throw new IOException(file + ": Input/output error");
      }
    }
  }

  @Override
  public void makeFolder(Path folder) throws IOException {
    check(folder);
    super.makeFolder(folder);
  }

  @Override
  public OutputStream create(Path file) throws IOException {
    check(file);
    takeDescriptor(file);
    boolean block = file.toString().endsWith(".tmp");
    return new FilterOutputStream(super.create(file)) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        check(file);
        for (Map.Entry<Path, String> refusal : refusals.entrySet()) {
          if (file.startsWith(refusal.getKey())) {
            throw new IOException(file + ": " + refusal.getValue());
          }
        }
        if (block && writesFail) {
          throw new IOException(file + ": write failed");
        }
        byte[] copy = java.util.Arrays.copyOfRange(bytes, offset, offset + length);
        if (block && flipsOnWrite) {
          copy[length / 2] ^= 4;
        }
        out.write(copy, 0, length);
      }
    };
  }

  @Override
  public FileInputStream open(Path file) throws IOException {
    check(file);
    takeDescriptor(file);
    opened.accept(file);
    Runnable meanwhile = beforeProbeIsRead;
    if (meanwhile != null && file.toString().endsWith("probe")) {
      beforeProbeIsRead = null;
      meanwhile.run();
    }
    return super.open(file);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    check(to);
    if (renamesFail) {
      throw new IOException(to + ": rename failed");
    }
    super.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    check(file);
    deleted.accept(file);
    super.delete(file);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    check(folder);
    return super.list(folder);
  }

  @Override
  public long usableBytes(Path folder) throws IOException {
    check(folder);
    return full ? 0 : super.usableBytes(folder);
  }
}
