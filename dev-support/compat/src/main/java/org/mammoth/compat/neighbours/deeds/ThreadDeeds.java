// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.management.NotificationEmitter;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.log4j.MDC;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;

/** Programs that look at threads, and use those that a JVM has for all its programs. */
public final class ThreadDeeds {
  private ThreadDeeds() {}

  @Hostile(value = "lists all threads in three ways", about = "thread")
  static final class ThreadLists implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Set<Long> seen = new HashSet<>();
      Thread.getAllStackTraces().keySet().forEach(each -> seen.add(each.getId()));
      Set<String> others = new HashSet<>();
      for (ThreadInfo each : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)) {
        if (!seen.contains(each.getThreadId())) {
          others.add(each.getThreadName());
        }
      }
      // A thread may have begun meanwhile.
      Thread.getAllStackTraces().keySet().forEach(each -> others.remove(each.getName()));
      return others
          + " "
          + seen.contains(Thread.currentThread().getId())
          + " "
          + (ManagementFactory.getThreadMXBean().getAllThreadIds().length < seen.size() + 20);
    }
  }

  @Hostile(value = "interrupts the threads that the JVM has of its own", about = "thread")
  static final class InterruptedOthers implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      for (Thread each : Thread.getAllStackTraces().keySet()) {
        ThreadGroup group = each.getThreadGroup();
        if (group != null && group.getName().equals("system")) {
          each.interrupt();
        }
      }
      return String.valueOf(Thread.interrupted());
    }
  }

  @Hostile(value = "interrupts and renames its group of threads", about = "thread")
  static final class OwnGroup implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ThreadGroup own = new ThreadGroup(MARK);
      own.setMaxPriority(2);
      Thread left = new Thread(own, () -> {}, MARK);
      left.start();
      left.join();
      own.interrupt();
      return own.getParent().getName() + own.getMaxPriority();
    }
  }

  @Hostile(value = "leaves a context, a name and an interrupt in pool threads", about = "thread")
  static final class PoolContext implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return CompletableFuture.supplyAsync(
              () -> {
                CallerContext.setCurrent(new CallerContext.Builder(MARK).build());
                MDC.put(MARK, MARK);
                Thread.currentThread().setName(MARK);
                Thread.currentThread().setPriority(Thread.MIN_PRIORITY);
                return CallerContext.getCurrent().getContext() + MDC.get(MARK);
              })
          .get();
    }
  }

  @Hostile(value = "completes futures by the JDK's timer and sleeps there", about = "thread")
  static final class TimedFutures implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      System.setProperty(MARK + ".own", "own");
      String late =
          new CompletableFuture<String>()
              .completeOnTimeout("late", 20, TimeUnit.MILLISECONDS)
              .thenApply(each -> each + System.getProperty(MARK + ".own"))
              .get(20, TimeUnit.SECONDS);
      CompletableFuture<Void> delayed =
          CompletableFuture.runAsync(
              () -> {
                throw new IllegalStateException(MARK);
              },
              CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS, Runnable::run));
      return late + delayed.handle((done, failed) -> failed != null).get(20, TimeUnit.SECONDS);
    }
  }

  @Hostile(value = "reads a file on the JDK's own threads", about = "thread")
  static final class AsynchronousReads implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      System.setProperty(MARK + ".own", "own");
      Files.writeString(Path.of("asynchronous.txt"), MARK);
      CompletableFuture<String> seen = new CompletableFuture<>();
      try (AsynchronousFileChannel file =
          AsynchronousFileChannel.open(Path.of("asynchronous.txt"))) {
        file.read(
            ByteBuffer.allocate(100),
            0,
            null,
            new CompletionHandler<Integer, Void>() {
              @Override
              public void completed(Integer count, Void none) {
                seen.complete(count + System.getProperty(MARK + ".own"));
              }

              @Override
              public void failed(Throwable thrown, Void none) {
                seen.completeExceptionally(thrown);
              }
            });
        return seen.get(20, TimeUnit.SECONDS);
      }
    }
  }

  @Hostile(value = "listens to collections", about = "left-open")
  static final class CollectionListener implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      int listening = 0;
      for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
        ((NotificationEmitter) each)
            .addNotificationListener((notice, back) -> System.out.println(MARK), null, null);
        listening++;
      }
      System.gc();
      return String.valueOf(listening > 0);
    }
  }

  @Hostile(value = "leaves a cleaner and a finalizer that fail", about = "left-open")
  static final class Cleaners implements Deed {
    /** Fails where the JVM has it finalized. */
    private static final class Finalized {
      @Override
      @SuppressWarnings({"deprecation", "removal"})
      protected void finalize() {
        throw new IllegalStateException(MARK);
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      CompletableFuture<String> cleaned = new CompletableFuture<>();
      java.lang.ref.Cleaner cleaner = java.lang.ref.Cleaner.create();
      cleaner.register(new Object(), () -> cleaned.complete("cleaned"));
      String made = new Finalized().getClass().getSimpleName();
      for (int i = 0; i < 20 && !cleaned.isDone(); i++) {
        System.gc();
        TimeUnit.MILLISECONDS.sleep(100);
      }
      return made + cleaned.getNow("left");
    }
  }

  @Hostile(value = "calls itself until its stack is full", about = "memory")
  static final class FullStack implements Deed {
    private int depth;

    private void deeper() {
      depth++;
      deeper();
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws IOException {
      try {
        deeper();
        return "endless";
      } catch (StackOverflowError e) {
        return "full " + (depth > 3_000);
      }
    }
  }

  @Hostile(value = "asks for more memory than there is, and goes on", about = "memory")
  static final class CaughtOutOfMemory implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws IOException {
      try {
        return "got " + new long[Integer.MAX_VALUE - 8].length;
      } catch (OutOfMemoryError e) {
        return "refused";
      }
    }
  }
}
