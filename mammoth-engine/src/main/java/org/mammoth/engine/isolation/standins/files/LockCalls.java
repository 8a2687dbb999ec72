// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Channel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.concurrent.Future;
import org.mammoth.engine.isolation.OwnFiles;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of the members that lock files.
 *
 * <p>Such a lock is the JVM's, not the caller's: between processes a second one waits, within a JVM
 * it fails with an exception, and whoever closes the file anywhere in the JVM gives the lock away.
 * So a file that another task may lock, too, wants a process; one in the task's own folders, as
 * embedded databases and indexes have them, is its own. Channels of other classes than the JDK's
 * (H2's are all of its own) lock what their code locks in the end: that call comes here, too.
 * Stateless, thread-safe.
 */
public final class LockCalls {
  private static final Field PATH = pathOfChannels();

  private LockCalls() {}

  /** {@code FileChannel.lock}. */
  @Replaces(value = FileChannel.class, receiver = true)
  public static FileLock lock(FileChannel channel) throws IOException {
    locking(channel, "lock");
    return channel.lock();
  }

  /** {@code FileChannel.lock}. */
  @Replaces(value = FileChannel.class, receiver = true)
  public static FileLock lock(FileChannel channel, long position, long size, boolean shared)
      throws IOException {
    locking(channel, "lock");
    return channel.lock(position, size, shared);
  }

  /** {@code FileChannel.tryLock}. */
  @Replaces(value = FileChannel.class, receiver = true)
  public static FileLock tryLock(FileChannel channel) throws IOException {
    locking(channel, "tryLock");
    return channel.tryLock();
  }

  /** {@code FileChannel.tryLock}. */
  @Replaces(value = FileChannel.class, receiver = true)
  public static FileLock tryLock(FileChannel channel, long position, long size, boolean shared)
      throws IOException {
    locking(channel, "tryLock");
    return channel.tryLock(position, size, shared);
  }

  /** {@code AsynchronousFileChannel.lock}: such a channel does not tell its file. */
  @Replaces(value = AsynchronousFileChannel.class, receiver = true)
  public static Future<FileLock> lock(AsynchronousFileChannel channel) {
    locking(channel, "lock");
    return channel.lock();
  }

  /** {@code AsynchronousFileChannel.lock}. */
  @Replaces(value = AsynchronousFileChannel.class, receiver = true)
  public static Future<FileLock> lock(
      AsynchronousFileChannel channel, long position, long size, boolean shared) {
    locking(channel, "lock");
    return channel.lock(position, size, shared);
  }

  /** {@code AsynchronousFileChannel.lock}. */
  @Replaces(value = AsynchronousFileChannel.class, receiver = true)
  public static <A> void lock(
      AsynchronousFileChannel channel, A attachment, CompletionHandler<FileLock, ? super A> then) {
    locking(channel, "lock");
    channel.lock(attachment, then);
  }

  /** {@code AsynchronousFileChannel.lock}. */
  @Replaces(value = AsynchronousFileChannel.class, receiver = true)
  public static <A> void lock(
      AsynchronousFileChannel channel,
      long position,
      long size,
      boolean shared,
      A attachment,
      CompletionHandler<FileLock, ? super A> then) {
    locking(channel, "lock");
    channel.lock(position, size, shared, attachment, then);
  }

  /** {@code AsynchronousFileChannel.tryLock}. */
  @Replaces(value = AsynchronousFileChannel.class, receiver = true)
  public static FileLock tryLock(AsynchronousFileChannel channel) throws IOException {
    locking(channel, "tryLock");
    return channel.tryLock();
  }

  /** {@code AsynchronousFileChannel.tryLock}. */
  @Replaces(value = AsynchronousFileChannel.class, receiver = true)
  public static FileLock tryLock(
      AsynchronousFileChannel channel, long position, long size, boolean shared)
      throws IOException {
    locking(channel, "tryLock");
    return channel.tryLock(position, size, shared);
  }

  private static void locking(AsynchronousFileChannel channel, String method) {
    if (isOfTheJdk(channel)) {
      ProcessNeed.because("AsynchronousFileChannel." + method);
    }
  }

  /** All else is rewritten, so whatever file it locks is seen where it does. */
  private static boolean isOfTheJdk(Channel channel) {
    return channel.getClass().getModule().isNamed();
  }

  private static void locking(FileChannel channel, String method) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null || !channel.isOpen() || !isOfTheJdk(channel)) {
      return;
    }
    String file = fileOf(channel);
    if (file == null || !OwnFiles.inFolders(process, Path.of(file))) {
      String what = file == null ? "a file" : file;
      process.needProcess(ProcessNeed.reason("FileChannel." + method + " of " + what));
    }
  }

  /** The file's name as it was opened, absolute since names of tasks are; null if unknown. */
  private static String fileOf(FileChannel channel) {
    try {
      return PATH != null && PATH.getDeclaringClass().isInstance(channel)
          ? (String) PATH.get(channel)
          : null;
    } catch (IllegalAccessException e) {
      return null;
    }
  }

  private static Field pathOfChannels() {
    try {
      // The JDK has no other way to a channel's file; engines open this package to all.
      Field path = Class.forName("sun.nio.ch.FileChannelImpl").getDeclaredField("path");
      path.setAccessible(true);
      return path;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }
}
