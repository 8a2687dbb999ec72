// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Keeps SSD directories for one slave: each deletes at its start what it does not know, and so what
 * is another's. The system lets go of a lock when its process ends, however it ends.
 *
 * <p>Safe for any thread.
 */
public final class DirectoryLocks implements Closeable {

  private static final String FILE = "lock";

  @GuardedBy("this")
  private final List<FileChannel> held = new ArrayList<>();

  @GuardedBy("this")
  private boolean closed;

  /** Locks each directory. One that cannot be locked is left out, and says why. */
  public synchronized void take(List<SsdDirectory> directories) {
    for (SsdDirectory directory : directories) {
      try {
        if (closed || !take(directory.path().resolve(FILE))) {
          directory.fail("another DataNode uses it");
        }
      } catch (IOException e) {
        directory.fail("it cannot be locked: " + e);
      }
    }
  }

  @GuardedBy("this")
  private boolean take(Path file) throws IOException {
    LocalSsdFiles.makeParents(file);
    // Who may not open it cannot lock it either.
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(LocalSsdFiles.OWN_FILE));
    boolean taken = false;
    try {
      FileLock lock = channel.tryLock();
      taken = lock != null;
    } catch (OverlappingFileLockException e) {
      // Another one of this process.
      taken = false;
    } finally {
      if (taken) {
        held.add(channel);
      } else {
        channel.close();
      }
    }
    return taken;
  }

  /** Lets others have the directories; takes none any more. */
  @Override
  public synchronized void close() {
    closed = true;
    try {
      for (FileChannel channel : held) {
        channel.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a lock of an SSD directory was not given back", e);
    }
    held.clear();
  }
}
