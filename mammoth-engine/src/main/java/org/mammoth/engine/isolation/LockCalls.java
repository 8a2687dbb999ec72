package org.mammoth.engine.isolation;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/**
 * What rewritten code calls instead of locking a file: what another task has locked is another
 * process's, see {@link TaskLocks}. Stateless, thread-safe.
 */
public final class LockCalls {
  private LockCalls() {}

  /** {@code FileChannel.lock}. */
  @Replaces(value = FileChannel.class, receiver = true)
  public static FileLock lock(FileChannel self) throws IOException {
    return lock(self, 0, Long.MAX_VALUE, false);
  }

  /** {@code FileChannel.lock}. */
  @Replaces(value = FileChannel.class, receiver = true)
  public static FileLock lock(FileChannel self, long from, long size, boolean shared)
      throws IOException {
    TaskLocks locks = TaskLocks.ofCaller();
    return locks == null
        ? self.lock(from, size, shared)
        : locks.take(self, from, size, shared, () -> self.lock(from, size, shared));
  }

  /** {@code FileChannel.tryLock}. */
  @Replaces(value = FileChannel.class, receiver = true)
  public static FileLock tryLock(FileChannel self) throws IOException {
    return tryLock(self, 0, Long.MAX_VALUE, false);
  }

  /** {@code FileChannel.tryLock}. */
  @Replaces(value = FileChannel.class, receiver = true)
  public static FileLock tryLock(FileChannel self, long from, long size, boolean shared)
      throws IOException {
    TaskLocks locks = TaskLocks.ofCaller();
    return locks == null
        ? self.tryLock(from, size, shared)
        : locks.tryTake(self, from, size, shared, () -> self.tryLock(from, size, shared));
  }

  /** {@code AsynchronousFileChannel.tryLock}. */
  @Replaces(value = AsynchronousFileChannel.class, receiver = true)
  public static FileLock tryLock(AsynchronousFileChannel self) throws IOException {
    return tryLock(self, 0, Long.MAX_VALUE, false);
  }

  /** {@code AsynchronousFileChannel.tryLock}. */
  @Replaces(value = AsynchronousFileChannel.class, receiver = true)
  public static FileLock tryLock(AsynchronousFileChannel self, long from, long size, boolean shared)
      throws IOException {
    TaskLocks locks = TaskLocks.ofCaller();
    return locks == null
        ? self.tryLock(from, size, shared)
        : locks.tryTake(self, from, size, shared, () -> self.tryLock(from, size, shared));
  }
}
