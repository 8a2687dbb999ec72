// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.mammoth.engine.levitated.RangeReader;
import org.mammoth.engine.levitated.RangeRequest;
import org.mammoth.engine.levitated.table.SegmentTable;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;

/**
 * Merges the segments of a table in memory that does not grow with their number (virtual shuffling
 * paper, Yu et al. 2015, §3): each directory is a subtree that merges ahead into a buffer of its
 * own, a few of them at a time, those first whose buffer runs dry; the reduce merges the buffers.
 * The order is that of a {@link MergeQueue} over all segments in the table's order.
 *
 * <p>Unlike the paper's, a subtree that rests keeps the little it has fetched and not merged: its
 * segments are fetched to about the same key, and what is left is packed. It is dropped, and
 * fetched again, only when the reduce waits and there is no other memory.
 *
 * <p>{@link #queue} is for the reduce's thread; {@link #close} for any.
 */
public final class VirtualMerge implements AutoCloseable {

  /** How much smaller buffers become each time fetched bytes had to be dropped. */
  private static final double SHORTER = 0.96;

  /** The part of their planned size that buffers keep. */
  private static final double SMALLEST = 0.25;

  /** A step of a subtree at work. */
  interface Step {
    void run() throws IOException;
  }

  private final SegmentTable table;
  private final RangeReader reader;
  private final StepRunner stepRunner;
  private final VirtualSizing sizes;
  private final FillLevels levels;
  private final Pages pages;
  private final MergeCounts counts = new MergeCounts();
  private final Subtree[] subtrees;
  private final MergeQueue queue;
  private final List<RecordCursor> cursors;
  private final ArrayDeque<Activation> idle = new ArrayDeque<>();
  private final ArrayDeque<Subtree> hungry = new ArrayDeque<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** The one the reduce waits for. */
  private volatile Subtree starving;

  /**
   * Bytes a subtree's buffer holds; becomes less when memory turns out to be short, as with records
   * that are large for it.
   */
  private volatile double bufferBytes;

  private int active;
  private int running;
  private boolean closed;

  /**
   * Begins to merge the segments of a full table.
   *
   * @param table closed with the merge
   * @param reader brings ranges of the table's segments, by index
   * @param units where the memory for their bytes comes from
   * @param trailer bytes of the checksum (CRC-32) that follow a segment's records: 4, or 0 if there
   *     is none; it is compared unless values of the segment were fetched late
   * @param orders makes the order of the keys, anew for each thread that compares
   */
  public VirtualMerge(
      SegmentTable table,
      RangeReader reader,
      UnitSource units,
      int trailer,
      Supplier<KeyOrder> orders,
      StepRunner stepRunner,
      VirtualSizing sizes,
      FillLevels levels) {
    this(table, reader, units, trailer, orders, stepRunner, sizes, levels, new int[0]);
  }

  /**
   * As the other, for {@link #cursors} that are merged with inputs beside them. Among equal keys
   * the rank decides ({@link RecordCursor#rank}), which is the number of the map.
   *
   * @param beside ranks of the other inputs, in ascending order; if there are any, the table is in
   *     the order of its maps. Records of a subtree none of them comes into carry no rank of their
   *     own
   */
  public VirtualMerge(
      SegmentTable table,
      RangeReader reader,
      UnitSource units,
      int trailer,
      Supplier<KeyOrder> orders,
      StepRunner stepRunner,
      VirtualSizing sizes,
      FillLevels levels,
      int[] beside) {
    this.table = table;
    this.reader = reader;
    this.stepRunner = stepRunner;
    this.sizes = sizes;
    this.levels = levels;
    this.bufferBytes = sizes.bufferBytes();
    this.pages = new Pages(units, sizes.pageBytes(), sizes.pagesBytes());
    this.subtrees = new Subtree[table.directories()];
    List<SubtreeCursor> cursors = new ArrayList<>(subtrees.length);
    KeyOrder order = orders.get();
    for (int i = 0; i < subtrees.length; i++) {
      subtrees[i] = new Subtree(table.directory(i), pages, beside);
      cursors.add(new SubtreeCursor(order, this, subtrees[i], sizes.windowBytes()));
      hungry.add(subtrees[i]);
      subtrees[i].queued = true;
    }
    this.cursors = List.copyOf(cursors);
    this.queue = new MergeQueue(order, cursors);
    for (int i = 0; i < sizes.activeSubtrees(); i++) {
      idle.add(new Activation(this, sizes, orders.get(), trailer));
    }
    schedule();
  }

  /** The records of all segments. */
  public MergeQueue queue() {
    return queue;
  }

  /** The records of all segments, as many sorted inputs; instead of {@link #queue}. */
  public List<RecordCursor> cursors() {
    return cursors;
  }

  /** What it has done so far. */
  public MergeCounts counts() {
    return counts;
  }

  /** Why it cannot go on; null while it can. */
  public Throwable failure() {
    return failure.get();
  }

  /** Bytes of the pool it holds now, the table's included. */
  public long heldBytes() {
    return pages.heldBytes() + table.heldBytes();
  }

  Pages pages() {
    return pages;
  }

  RangeReader reader() {
    return reader;
  }

  /**
   * Reads merged records of a subtree, waiting for them. The reduce's thread.
   *
   * @return 0 at the end
   */
  int read(Subtree subtree, byte[] into, int offset, int length) throws IOException {
    while (true) {
      int read = readNow(subtree, into, offset, length);
      if (read >= 0) {
        // a turn that begins early has its ranges on their way while there is something to reduce
        stepRunner.runReady();
        return read;
      }
      await(subtree);
    }
  }

  /** What can be read without waiting; 0 at the end, -1 if nothing can. */
  private int readNow(Subtree subtree, byte[] into, int offset, int length) throws IOException {
    enter();
    try {
      // asked first: its last records are there when it has ended
      boolean ended = subtree.hasEnded();
      int read = subtree.read(into, offset, length);
      if (read > 0) {
        consumed(subtree);
        return read;
      }
      return ended ? 0 : -1;
    } finally {
      leave();
    }
  }

  private void await(Subtree subtree) throws IOException {
    counts.waited();
    starving = subtree;
    schedule();
    try {
      stepRunner.await(() -> subtree.isReadable() || failure.get() != null);
    } catch (InterruptedException e) {
      throw interrupted();
    } finally {
      starving = null;
    }
    check();
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("the task was ended while its merge waited for map output");
  }

  private void check() throws IOException {
    Throwable why = failure.get();
    if (why != null) {
      throw new IOException(why.getMessage(), why);
    }
  }

  /** Reads a piece of a value that stayed at its source. The reduce's thread. */
  void readLate(int segment, long offset, ByteBuffer into) throws IOException {
    int bytes = into.remaining();
    Throwable none = new Throwable("");
    AtomicReference<Throwable> outcome = new AtomicReference<>();
    counts.asked(1);
    reader.read(
        List.of(
            new RangeRequest(
                segment,
                offset,
                into,
                why -> {
                  outcome.set(why == null ? none : why);
                  stepRunner.wake();
                })));
    try {
      stepRunner.await(() -> outcome.get() != null || failure.get() != null);
    } catch (InterruptedException e) {
      throw interrupted();
    }
    check();
    if (outcome.get() != none) {
      throw new IOException("a value of segment " + segment + " was not read", outcome.get());
    }
    counts.fetched(bytes);
  }

  private void consumed(Subtree subtree) {
    if (subtree.buffered() <= levels.activateBelow() * bufferBytes) {
      synchronized (this) {
        if (!subtree.active && !subtree.queued && !subtree.hasEnded()) {
          subtree.queued = true;
          hungry.add(subtree);
        }
      }
    }
    if (!hungryIsEmpty()) {
      schedule();
    }
  }

  private synchronized boolean hungryIsEmpty() {
    return hungry.isEmpty();
  }

  /** Sets to work whom there is room for. */
  private void schedule() {
    while (true) {
      Activation place;
      Subtree next;
      boolean urgent;
      synchronized (this) {
        if (idle.isEmpty() || closed || failure.get() != null) {
          return;
        }
        Subtree first = starving;
        urgent = first != null && !first.active && !first.isReadable();
        next = urgent ? first : hungry.peek();
        if (next == null || next.active) {
          if (next == null) {
            return;
          }
          hungry.poll().queued = false;
          continue;
        }
        int least = urgent ? 2 : 2 + pages.count(wantedBytes(next) * 3 / 2);
        if (!pages.promise(least, spare(urgent), false) && !(urgent && promiseToStart(least))) {
          if (urgent) {
            fail(new IOException("the merge of this reduce finds no memory at all"));
          }
          return;
        }
        pages.forget(least - 2);
        hungry.remove(next);
        next.queued = false;
        next.active = true;
        active++;
        place = idle.poll();
      }
      counts.turn();
      place.begin(next, target(next), 2, urgent);
    }
  }

  /** Promises what the reduce waits for, at the cost of what resting subtrees keep. */
  private boolean promiseToStart(int pages) {
    do {
      if (this.pages.promise(pages, 0, true)) {
        return true;
      }
    } while (dropTails());
    return false;
  }

  private int spare(boolean urgent) {
    return urgent ? 0 : pages.count(sizes.spareBytes());
  }

  /**
   * Bytes a subtree's buffer is to hold after its turn. At first they differ, so that subtrees do
   * not all run dry, and are not all full, at the same time.
   */
  private long target(Subtree subtree) {
    double full = levels.stopAbove() * bufferBytes;
    if (subtree.turns++ > 0) {
      return (long) full;
    }
    double low = levels.activateBelow() * bufferBytes;
    double phase = (subtree.directory.first() / (double) table.subtreeSize() + 1) / subtrees.length;
    return (long) (low + (full - low) * phase);
  }

  private long wantedBytes(Subtree subtree) {
    return Math.max(0, (long) (levels.stopAbove() * bufferBytes) - subtree.buffered());
  }

  /**
   * Promises pages to a subtree at work.
   *
   * @param urgent whether what resting subtrees keep may be dropped for it
   * @param beyond whether more memory may be asked for than was planned
   */
  boolean promise(int count, Subtree whose, boolean urgent, boolean beyond) {
    boolean waitedFor = urgent || whose == starving;
    do {
      if (pages.promise(count, spare(waitedFor), false)) {
        return true;
      }
    } while (waitedFor && dropTails());
    return beyond && pages.promise(count, 0, true);
  }

  /** Drops what the resting subtree keeps whose turn comes last; false if none keeps anything. */
  private boolean dropTails() {
    Subtree last = null;
    synchronized (this) {
      for (Subtree each : subtrees) {
        if (!each.active
            && each.tails.size() > 0
            && (last == null || each.horizon > last.horizon)) {
          last = each;
        }
      }
      if (last == null) {
        return false;
      }
      counts.dropped(last.tails.size());
      bufferBytes = Math.max(SMALLEST * sizes.bufferBytes(), bufferBytes * SHORTER);
      last.tails.clear();
      for (int i = 0; i < last.directory.size(); i++) {
        last.directory.fetched(i, last.directory.fetched(i) - last.directory.tail(i));
        last.directory.tail(i, 0);
      }
    }
    return true;
  }

  /** A subtree's turn has ended. */
  void rested(Activation place, Subtree subtree, boolean moved) {
    synchronized (this) {
      subtree.active = false;
      active--;
      idle.add(place);
      boolean low = subtree.buffered() <= levels.activateBelow() * bufferBytes;
      if (moved && low && !subtree.hasEnded() && !subtree.queued) {
        subtree.queued = true;
        hungry.add(subtree);
      }
    }
    stepRunner.wake();
    schedule();
  }

  /** Wakes the reduce if it waits for this subtree. */
  void turnsWake(Subtree subtree) {
    if (subtree == starving) {
      stepRunner.wake();
    }
  }

  /** Has a step of a subtree run when it is its turn. */
  void step(Activation place, Step step) {
    stepRunner.execute(() -> run(place, step));
  }

  /**
   * Runs a step of a subtree now, on the thread that reads.
   *
   * @throws RuntimeException what the job's comparator throws
   */
  void run(Activation place, Step step) {
    synchronized (this) {
      if (closed) {
        return;
      }
      running++;
    }
    try {
      step.run();
    } catch (IOException e) {
      place.giveUp();
      fail(e);
    } catch (RuntimeException | Error e) {
      // The comparator's own, or the end of the task: the reduce gets it as from any other merge.
      place.giveUp();
      fail(e);
      throw e;
    } finally {
      leave();
    }
  }

  private void fail(Throwable why) {
    failure.compareAndSet(null, why);
    stepRunner.wake();
  }

  private synchronized void enter() throws IOException {
    if (closed) {
      throw new IOException("the merge of this reduce was closed while it was read");
    }
    running++;
  }

  private synchronized void leave() {
    if (--running == 0 && closed) {
      notifyAll();
    }
  }

  /** Gives all memory back. Ranges still under way come to nothing. Safe to call twice. */
  @Override
  public void close() {
    boolean interrupted = false;
    synchronized (this) {
      closed = true;
      failure.compareAndSet(null, new IOException("the merge of this reduce was closed"));
      while (running > 0) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      pages.close();
      table.close();
    }
    stepRunner.wake();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
