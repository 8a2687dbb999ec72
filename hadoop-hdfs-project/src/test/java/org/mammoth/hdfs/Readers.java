// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;

/** Threads that read files while they change, and compare each byte with what may be there. */
final class Readers implements AutoCloseable {

  private final CheckedFiles files;
  private final long seed;
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicLong reads = new AtomicLong();
  private volatile boolean stop;

  Readers(CacheCluster cluster, CheckedFiles files, int count, long seed) {
    this.files = files;
    this.seed = seed;
    for (int i = 0; i < count; i++) {
      Random random = new Random(seed + i + 1);
      Thread thread = new Thread(() -> run(cluster, random), "reader-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private void run(CacheCluster cluster, Random random) {
    Configuration conf = new Configuration(cluster.hdfs().getConfiguration(0));
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      while (!stop && wrong.isEmpty()) {
        read(fs, files.pick(random), random);
        reads.incrementAndGet();
      }
    } catch (IOException | RuntimeException e) {
      wrong.add("a reader died: " + e);
    }
  }

  private void read(FileSystem fs, CheckedFiles.Tracked file, Random random) {
    CheckedFiles.Moment before = file.moment();
    byte[] got;
    int from = 0;
    try (FSDataInputStream in = fs.open(file.path())) {
      if (random.nextBoolean()) {
        from = random.nextInt(1 + (int) fs.getFileStatus(file.path()).getLen());
        in.seek(from);
      }
      got = in.readAllBytes();
    } catch (IOException | IllegalStateException e) {
      // Upstream's client answers a truncation under its reader with the latter.
      if (before.settled() && file.moment().equals(before)) {
        wrong.add(file.path() + " could not be read though nothing changed it: " + e);
      }
      return;
    }
    compare(file, before, from, got);
  }

  private void compare(
      CheckedFiles.Tracked file, CheckedFiles.Moment before, int from, byte[] got) {
    CheckedFiles.Moment after = file.moment();
    int first = before.settled() ? before.state() : Math.max(0, before.state() - 1);
    boolean quiet = before.settled() && after.equals(before);
    List<byte[]> allowed = file.states(first, after.state());
    if (quiet && got.length != allowed.get(0).length - from) {
      wrong.add(file.path() + " gave " + got.length + " bytes from " + from + " on");
      return;
    }
    for (int i = 0; i < got.length; i++) {
      boolean known = false;
      for (byte[] state : allowed) {
        known |= from + i < state.length && state[from + i] == got[i];
      }
      if (!known) {
        wrong.add(
            file.path() + " has a wrong byte at " + (from + i) + ", states " + allowed.size());
        return;
      }
    }
  }

  /** Waits for so many more reads. */
  void await(int more) {
    long target = reads.get() + more;
    CacheCluster.await(
        () -> {
          if (wrong.isEmpty() && reads.get() < target) {
            throw new AssertionError("readers are slow");
          }
        });
    check();
  }

  void check() {
    if (!wrong.isEmpty()) {
      throw new AssertionError("mammoth.seed=" + seed + ": " + wrong);
    }
  }

  @Override
  public void close() throws InterruptedException {
    stop = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
