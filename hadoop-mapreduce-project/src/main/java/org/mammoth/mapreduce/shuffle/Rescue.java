// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last resort for segments whose engine is gone while they are merged: their nodes' stock
 * shuffle, and the reduce's own disk. One thread of its own, once it is needed.
 */
final class Rescue {

  private static final Logger LOG = LoggerFactory.getLogger(Rescue.class);

  /** Together they outlast a cable that is out for half a minute. */
  private static final int TRIES = 6;

  /** Of a node that answers that it fails, and where this node's disk does. */
  private static final int TRIES_IN_TROUBLE = 3;

  private static final long PAUSE_MS = 1_000;

  private static final long IDLE_MS = 500;

  private final StockSegment stock;
  private final ReceiveStore store;
  private final RemoteLink link;

  /** What ends those that wait for a moment, if the moment does not come. */
  private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

  private final Map<LevitatedSource, Path> files = new HashMap<>();
  private ThreadPoolExecutor thread;
  private boolean closed;

  /** Nothing is rescued yet. */
  Rescue(StockSegment stock, ReceiveStore store, RemoteLink link) {
    this.stock = stock;
    this.store = store;
    this.link = link;
  }

  /**
   * Fills {@code into} with bytes of a source from {@code offset}; any thread.
   *
   * @param why its engine can't be asked
   * @param done told null, or why there is no way
   */
  void read(
      LevitatedSource source,
      long offset,
      ByteBuffer into,
      Throwable why,
      Consumer<Throwable> done) {
    execute(() -> fill(source, offset, into, why, done, 1), why, done);
  }

  private void execute(Runnable work, Throwable why, Consumer<Throwable> done) {
    Throwable refused = why;
    synchronized (this) {
      if (!closed) {
        if (thread == null) {
          thread =
              new ThreadPoolExecutor(
                  1, 1, IDLE_MS, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), this::thread);
          // A reduce that is killed must not wait for a thread that waits for work.
          thread.allowCoreThreadTimeOut(true);
        }
        refused = begun(work);
      }
    }
    if (refused != null) {
      done.accept(refused);
    }
  }

  /** Null, or that there was no thread to be had: whoever waits for the range must hear of it. */
  private Throwable begun(Runnable work) {
    try {
      thread.execute(work);
      return null;
    } catch (OutOfMemoryError e) {
      return new IOException("no thread was to be had for a rescue", e);
    }
  }

  private Thread thread(Runnable task) {
    Thread made = new Thread(task, "rescue for " + link.attempt());
    made.setDaemon(true);
    return made;
  }

  private void fill(
      LevitatedSource source,
      long offset,
      ByteBuffer into,
      Throwable why,
      Consumer<Throwable> done,
      int tries) {
    Throwable failure = null;
    try {
      into.put(read(file(source, why), offset, into.remaining()));
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    boolean useless =
        failure instanceof StockSegment.RefusedException
            || failure instanceof Error
            || source.isObsolete()
            || isClosed();
    StockSegment.BusyException busy =
        failure instanceof StockSegment.BusyException known ? known : null;
    int most = mostTries(failure);
    if (failure == null || useless || busy == null && tries >= most) {
      if (failure != null) {
        failure.addSuppressed(why);
      }
      done.accept(failure);
      return;
    }
    LOG.info("{} is not to be had yet: {}", source.attempt(), failure.getMessage());
    Throwable last = failure;
    // A node that is busy is alive: it is asked until it has time, as by upstream's fetchers.
    int next = busy == null ? tries + 1 : tries;
    Runnable giveUp = () -> done.accept(last);
    waiting.add(giveUp);
    link.clock()
        .after(
            busy == null ? PAUSE_MS << tries - 1 : busy.pauseMs(),
            () -> {
              if (waiting.remove(giveUp)) {
                execute(() -> fill(source, offset, into, why, done, next), last, done);
              }
            });
    if (isClosed()) {
      giveUp(giveUp);
    }
  }

  private static int mostTries(Throwable failure) {
    boolean trouble =
        failure instanceof StockSegment.TroubleException
            || failure instanceof StockSegment.OwnDiskException;
    return trouble ? TRIES_IN_TROUBLE : TRIES;
  }

  private byte[] read(Path file, long offset, int count) throws IOException {
    byte[] bytes = new byte[count];
    try (InputStream in = store.open(file, offset, count)) {
      if (in.readNBytes(bytes, 0, count) < count) {
        throw new EOFException(file + " is shorter than it was");
      }
    } catch (IOException e) {
      throw new StockSegment.OwnDiskException(e);
    }
    return bytes;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private Path file(LevitatedSource source, Throwable why) throws IOException {
    Path known = files.get(source);
    if (known != null) {
      return known;
    }
    LOG.info(
        "{} is fetched whole from {} in the stock way: {}",
        source.attempt(),
        source.url(),
        why.getMessage());
    Path file =
        stock.fetch(
            source.url(),
            link.job(),
            source.attempt(),
            link.partition(),
            source.info().partLength());
    files.put(source, file);
    return file;
  }

  /** Ends it and removes its files; safe to call twice. */
  void close() {
    ExecutorService running;
    synchronized (this) {
      closed = true;
      running = thread;
      thread = null;
    }
    waiting.forEach(this::giveUp);
    if (running != null) {
      stock.stop();
      // After what is under way: it may just be making a file.
      running.execute(this::removeFiles);
      running.shutdown();
    }
  }

  private void giveUp(Runnable one) {
    if (waiting.remove(one)) {
      one.run();
    }
  }

  private void removeFiles() {
    for (Path file : files.values()) {
      try {
        store.delete(file);
      } catch (IOException e) {
        LOG.info("{} goes with the application's folder", file, e);
      }
    }
    files.clear();
  }
}
