// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Descriptors of files that are read again and again, kept open: at most so many, each until it was
 * not used for a while, its file was replaced or is of no use any more. Any thread; nobody waits
 * for a disk on which another opens a file.
 */
final class OpenFiles {

  private record Name(Path path, long version) {}

  /** One descriptor; whoever has it from {@link #open} closes it, which may leave it open. */
  final class Handle implements AutoCloseable {
    private final FileChannel channel;
    private int users;
    private long usedAt;
    private boolean listed;

    private Handle(FileChannel channel) {
      this.channel = channel;
    }

    FileChannel channel() {
      return channel;
    }

    @Override
    public void close() throws IOException {
      synchronized (files) {
        users--;
        usedAt = clock.getAsLong();
        if (listed || users > 0) {
          return;
        }
      }
      channel.close();
    }
  }

  private final int most;
  private final long idleNanos;
  private final LongSupplier clock;

  /** Longest unused first. */
  @GuardedBy("files")
  private final Map<Name, Handle> files = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Nothing open yet.
   *
   * @param most descriptors that stay open; those in use may be more
   * @param idleNanos how long one stays open unused, see {@link #closeIdle}
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  OpenFiles(int most, long idleNanos, LongSupplier clock) {
    this.most = most;
    this.idleNanos = idleNanos;
    this.clock = clock;
  }

  /**
   * Opens a file, or gives what is open of it.
   *
   * @param version tells a file from a later one of the same path
   */
  Handle open(Path path, long version) throws IOException {
    Name name = new Name(path, version);
    synchronized (files) {
      Handle known = files.get(name);
      if (known != null) {
        known.users++;
        return known;
      }
    }
    Handle opened = new Handle(FileChannel.open(path, StandardOpenOption.READ));
    List<Handle> unused = new ArrayList<>();
    synchronized (files) {
      opened.users = 1;
      opened.usedAt = clock.getAsLong();
      opened.listed = files.putIfAbsent(name, opened) == null;
      dropBeyond(unused);
    }
    closeAll(unused);
    return opened;
  }

  @GuardedBy("files")
  private void dropBeyond(List<Handle> unused) {
    Iterator<Handle> eldest = files.values().iterator();
    while (files.size() > most && eldest.hasNext()) {
      drop(eldest.next(), eldest, unused);
    }
  }

  private static void drop(Handle handle, Iterator<?> at, List<Handle> unused) {
    at.remove();
    handle.listed = false;
    if (handle.users == 0) {
      unused.add(handle);
    }
  }

  private static void closeAll(List<Handle> unused) {
    for (Handle handle : unused) {
      try {
        handle.channel.close();
      } catch (IOException e) {
        // It was only read; nothing is lost.
      }
    }
  }

  /**
   * Whether that version of the file is open: what is read is its content, whatever became of it.
   */
  boolean isOpen(Path path, long version) {
    synchronized (files) {
      return files.containsKey(new Name(path, version));
    }
  }

  /** Closes what was not used for long. */
  void closeIdle() {
    List<Handle> unused = new ArrayList<>();
    synchronized (files) {
      long now = clock.getAsLong();
      Iterator<Handle> all = files.values().iterator();
      while (all.hasNext()) {
        Handle handle = all.next();
        if (handle.users == 0 && now - handle.usedAt >= idleNanos) {
          drop(handle, all, unused);
        }
      }
    }
    closeAll(unused);
  }

  /** Closes all versions of a file, those in use as soon as they are let go of. */
  void forget(Path path) {
    List<Handle> unused = new ArrayList<>();
    synchronized (files) {
      Iterator<Map.Entry<Name, Handle>> all = files.entrySet().iterator();
      while (all.hasNext()) {
        Map.Entry<Name, Handle> entry = all.next();
        if (entry.getKey().path.equals(path)) {
          drop(entry.getValue(), all, unused);
        }
      }
    }
    closeAll(unused);
  }

  /** How many are open. */
  int size() {
    synchronized (files) {
      return files.size();
    }
  }
}
