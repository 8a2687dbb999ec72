// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
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
      } catch (OverlappingFileLockException e) {
        directory.fail("it is named twice, or another DataNode of this process uses it");
      } catch (IOException e) {
        directory.fail("it cannot be locked: " + e);
      }
    }
  }

  /**
   * Locks a file.
   *
   * @return false if another process has it
   * @throws OverlappingFileLockException if this one has it, perhaps by another name
   */
  @GuardedBy("this")
  private boolean take(Path file) throws IOException {
    LocalSsdFiles.makeParents(file);
    // Who may not open it cannot lock it either.
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(LocalSsdFiles.OWN_FILE));
    boolean isOthers = false;
    try {
      isOthers = channel.tryLock() == null;
    } finally {
      if (isOthers) {
        channel.close();
      } else {
        // Whichever descriptor of a file a process closes, it loses its lock: of one that this
        // process has locked already none is closed before the end.
        held.add(channel);
      }
    }
    return !isOthers;
  }

  /** Lets others have the directories; takes none any more. */
  @Override
  public synchronized void close() {
    closed = true;
    IOException failure = null;
    for (FileChannel channel : held) {
      try {
        channel.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    held.clear();
    if (failure != null) {
      throw new UncheckedIOException("a lock of an SSD directory was not given back", failure);
    }
  }
}
