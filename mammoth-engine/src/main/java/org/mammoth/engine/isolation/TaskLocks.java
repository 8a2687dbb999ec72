package org.mammoth.engine.isolation;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.nio.channels.Channel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The file locks of one task. For the JDK all locks of a JVM have one owner, who may not ask for
 * what he has; for a process those of all others are somebody else's, to be waited for.
 * Thread-safe.
 */
final class TaskLocks {
  /** Takes a lock, or throws as the JDK does if the JVM has an overlapping one. */
  interface Attempt {
    FileLock take() throws IOException;
  }

  private record Held(Object file, WeakReference<FileLock> lock) {}

  /** A lock may go without a word: with its channel, which the JDK closes itself. */
  private static final long LOOK_MILLIS = 20;

  private final List<Held> held = new ArrayList<>();

  /** The caller's; null if no task calls. */
  static TaskLocks ofCaller() {
    TaskProcess process = Owners.callerOrNull();
    return process == null ? null : process.part(TaskLocks.class, () -> new TaskLocks(process));
  }

  private TaskLocks(TaskProcess process) {
    process.atClose(this::releaseAll);
  }

  /**
   * Takes a lock at once.
   *
   * @return null if another process, or another task, has it
   * @throws OverlappingFileLockException if this task has it
   */
  FileLock tryTake(Channel channel, long from, long size, boolean isShared, Attempt attempt)
      throws IOException {
    try {
      return keep(channel, attempt.take());
    } catch (OverlappingFileLockException taken) {
      if (hasOverlapping(fileOf(channel), from, size)) {
        throw taken;
      }
      if (isShared) {
        ProcessNeed.because("FileChannel.tryLock of a lock shared with another task");
      }
      return null;
    }
  }

  /**
   * Waits for a lock.
   *
   * @throws OverlappingFileLockException if this task has it
   */
  FileLock take(Channel channel, long from, long size, boolean isShared, Attempt attempt)
      throws IOException {
    while (true) {
      try {
        return keep(channel, attempt.take());
      } catch (OverlappingFileLockException taken) {
        if (hasOverlapping(fileOf(channel), from, size)) {
          throw taken;
        }
        if (isShared) {
          ProcessNeed.because("FileChannel.lock of a lock shared with another task");
        }
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        // The next attempt is refused as the JDK refuses an interrupted thread.
        Thread.currentThread().interrupt();
      }
    }
  }

  private FileLock keep(Channel channel, FileLock lock) {
    if (lock != null) {
      synchronized (held) {
        held.removeIf(each -> !isValid(each.lock.get()));
        held.add(new Held(fileOf(channel), new WeakReference<>(lock)));
      }
    }
    return lock;
  }

  private boolean hasOverlapping(Object file, long from, long size) {
    synchronized (held) {
      return held.stream()
          .filter(each -> file == null || each.file == null || each.file.equals(file))
          .map(each -> each.lock.get())
          .anyMatch(lock -> isValid(lock) && lock.overlaps(from, size));
    }
  }

  private static boolean isValid(FileLock lock) {
    return lock != null && lock.isValid();
  }

  private void releaseAll() {
    List<Held> left;
    synchronized (held) {
      left = List.copyOf(held);
      held.clear();
    }
    for (Held each : left) {
      FileLock lock = each.lock.get();
      if (isValid(lock)) {
        try {
          lock.release();
        } catch (IOException closedMeanwhile) {
          continue;
        }
      }
    }
  }

  /** Device and inode of an open file; null where they cannot be had. */
  private static Object fileOf(Channel channel) {
    try {
      Field descriptor = channel.getClass().getDeclaredField("fd");
      descriptor.setAccessible(true);
      Field number = FileDescriptor.class.getDeclaredField("fd");
      number.setAccessible(true);
      Path open = Path.of("/proc/self/fd", String.valueOf(number.get(descriptor.get(channel))));
      return Files.readAttributes(open, "unix:dev,ino");
    } catch (ReflectiveOperationException | RuntimeException | IOException notThisJdk) {
      return null;
    }
  }
}
