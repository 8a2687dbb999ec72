package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
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

  private final StockSegment stock;
  private final ReceiveStore store;
  private final RemoteLink link;
  private final Map<LevitatedSource, Path> files = new HashMap<>();
  private ExecutorService thread;
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
  synchronized void read(
      LevitatedSource source,
      long offset,
      ByteBuffer into,
      Throwable why,
      Consumer<Throwable> done) {
    if (closed) {
      done.accept(why);
      return;
    }
    if (thread == null) {
      thread =
          Executors.newSingleThreadExecutor(
              task -> {
                Thread made = new Thread(task, "rescue for " + link.attempt());
                made.setDaemon(true);
                return made;
              });
    }
    try {
      thread.execute(() -> done.accept(fill(source, offset, into, why)));
    } catch (RejectedExecutionException e) {
      done.accept(why);
    }
  }

  private Throwable fill(LevitatedSource source, long offset, ByteBuffer into, Throwable why) {
    try {
      Path file = file(source, why);
      byte[] bytes = new byte[into.remaining()];
      try (InputStream in = store.open(file, offset, bytes.length)) {
        if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
          throw new IOException(file + " is shorter than it was");
        }
      }
      into.put(bytes);
      return null;
    } catch (IOException | RuntimeException e) {
      e.addSuppressed(why);
      return e;
    }
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
    if (running != null) {
      stock.stop();
      // After what is under way: it may just be making a file.
      running.execute(this::removeFiles);
      running.shutdown();
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
