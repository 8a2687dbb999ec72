// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Ranges of files of one disk that many wait for: all of them are one queue among the others of the
 * disk. A turn serves them by file and offset, as far as one turn of the disk goes, and the next
 * turn goes on from there (MOFSupplier; Hadoop-A paper, Yu et al. 2013, §4.1). What lies close
 * together is read in one go; a disk that spins goes on behind it, for what will be asked for next.
 */
final class RangeQueue extends FileQueue {

  /** On a disk that spins, passing over so many bytes takes less than a seek. */
  private static final int GAP_BYTES = 256 << 10;

  private static final long READER_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Where a range begins; no two are equal. */
  private record Place(Path path, long from, long number) {}

  private static final Comparator<Place> ORDER =
      Comparator.comparing(Place::path)
          .thenComparingLong(Place::from)
          .thenComparingLong(Place::number);

  private final OpenFiles files;
  private final AheadBlocks ahead;
  private final Failures failures;
  private final TreeMap<Place, RangeRead> waiting = new TreeMap<>(ORDER);
  private final ReadHeads heads = new ReadHeads(READER_NANOS);
  private long numbers;
  private Place last;
  private volatile IOException refusal;

  /** What the turn reads; changed with the disk's lock only. */
  private final List<RangeRead> turn = new ArrayList<>();

  /** Told of what a disk answered instead of data. */
  @FunctionalInterface
  interface Failures {
    void failed(Path file, IOException error);
  }

  RangeQueue(
      DiskQueue diskQueue, String owner, OpenFiles files, AheadBlocks ahead, Failures failures) {
    super(diskQueue, Path.of(diskQueue.disk()), IoClass.SEND, IoDirection.READ, owner);
    this.files = files;
    this.ahead = ahead;
    this.failures = failures;
  }

  /** Takes no ranges any more. */
  void refuse(IOException why) {
    refusal = why;
  }

  /** Adds a range; any thread, without the lock. */
  void add(RangeRead range) {
    if (refusal != null) {
      range.fail(refusal);
      return;
    }
    diskQueue.lock().lock();
    try {
      waiting.put(new Place(range.path, range.from, numbers++), range);
      diskQueue.changed(this);
    } finally {
      diskQueue.lock().unlock();
    }
    diskQueue.wake();
  }

  private long turnBytes() {
    return (long) diskQueue.burstUnits() * diskQueue.settings().unitBytes();
  }

  @Override
  boolean wantsTurn() {
    return !waiting.isEmpty();
  }

  @Override
  boolean over() {
    return false;
  }

  @Override
  void begin() {
    long bytes = 0;
    long now = diskQueue.now();
    while (!waiting.isEmpty() && bytes < turnBytes()) {
      Place next = last == null ? null : waiting.higherKey(last);
      last = next == null ? waiting.firstKey() : next;
      RangeRead range = waiting.remove(last);
      turn.add(range);
      heads.read(range.path, range.from, range.end, now);
      bytes += range.end - range.from;
    }
  }

  @Override
  long perform() {
    long bytes = 0;
    int first = 0;
    int gap = diskQueue.spinning() ? GAP_BYTES : 0;
    while (first < turn.size()) {
      int next = first + 1;
      long end = turn.get(first).end;
      while (next < turn.size()
          && turn.get(next).sameFile(turn.get(first))
          && turn.get(next).from >= turn.get(first).from
          && turn.get(next).from <= end + gap) {
        end = Math.max(end, turn.get(next).end);
        next++;
      }
      bytes += read(turn.subList(first, next), end, turnBytes() - bytes);
      first = next;
    }
    return bytes;
  }

  /** Reads ranges of one file that lie together, and goes on behind them as far as is of use. */
  private long read(List<RangeRead> ranges, long end, long left) {
    RangeRead head = ranges.get(0);
    long start = BlockSums.startOf(head.from);
    ByteBuffer buffer = diskQueue.takeScratch();
    try (OpenFiles.Handle file = files.open(head.path, head.version)) {
      long size = file.channel().size();
      long stop = Math.min(size, roundUp(end) + aheadBytes(left - (end - start)));
      long at = start;
      while (at < stop) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), stop - at));
        while (buffer.hasRemaining()) {
          if (file.channel().read(buffer, at + buffer.position()) < 0) {
            throw new EOFException(head.path + " ends at byte " + (at + buffer.position()));
          }
        }
        buffer.flip();
        pass(ranges, buffer, at, end);
        at += buffer.limit();
      }
      if (end > size) {
        throw new EOFException(head.path + " ends at byte " + size + ", " + end + " is wanted");
      }
      return at - start;
    } catch (IOException e) {
      failures.failed(head.path, e);
      IOException why = explain(head.path, e);
      ranges.forEach(range -> range.fail(why));
      return 0;
    } finally {
      diskQueue.giveScratch(buffer);
    }
  }

  private static long roundUp(long position) {
    return BlockSums.startOf(position + BlockSums.BLOCK_BYTES - 1);
  }

  /** The kernel reads ahead on disks where a seek costs nothing. */
  private long aheadBytes(long left) {
    if (!diskQueue.spinning() || left <= 0) {
      return 0;
    }
    return BlockSums.startOf(Math.min(left, ahead.most() / 2 / heads.count()));
  }

  /** Hands out the blocks that are good; who wants another one fails. */
  private void pass(List<RangeRead> ranges, ByteBuffer bytes, long position, long end) {
    RangeRead head = ranges.get(0);
    int good = 0;
    for (int at = 0; at < bytes.limit(); at += BlockSums.BLOCK_BYTES) {
      int length = Math.min(BlockSums.BLOCK_BYTES, bytes.limit() - at);
      long start = position + at;
      if (head.sums != null && !head.sums.fits(start, bytes.slice(at, length))) {
        offer(ranges, bytes.slice(good, at - good), position + good);
        good = at + length;
        IOException why = new IOException(head.sums.damaged(head.path.toString(), start));
        for (RangeRead range : ranges) {
          if (range.from < start + length && range.end > start) {
            range.fail(why);
          }
        }
      } else if (diskQueue.spinning() && start + length > end) {
        byte[] block = new byte[length];
        bytes.get(at, block);
        ahead.put(head.path, head.version, start, block);
      }
    }
    offer(ranges, bytes.slice(good, bytes.limit() - good), position + good);
  }

  private static void offer(List<RangeRead> ranges, ByteBuffer bytes, long position) {
    for (RangeRead range : ranges) {
      range.offer(bytes, position);
    }
  }

  @Override
  void settle(Throwable failure, AfterUnlock after) {
    if (failure != null) {
      IOException why = explain(failure);
      for (RangeRead range : turn) {
        after.add(() -> range.fail(why));
      }
    }
    turn.clear();
  }

  /** Ends all that waits; what comes later is tried again. */
  @Override
  void giveUp(IOException cause, AfterUnlock after) {
    List<RangeRead> all = new ArrayList<>(turn);
    all.addAll(waiting.values());
    waiting.clear();
    for (RangeRead range : all) {
      after.add(() -> range.fail(cause));
    }
  }

  @Override
  void endByOwner() {
    // Nobody's attempt.
  }

  @Override
  long oldestRequest() {
    return isBusy() ? busySince() : waitingSince();
  }

  @Override
  int countDepth() {
    return waiting.size() + turn.size();
  }

  @Override
  long countHeld() {
    long bytes = 0;
    Iterator<RangeRead> all = turn.iterator();
    while (all.hasNext()) {
      RangeRead range = all.next();
      bytes += range.end - range.from;
    }
    return bytes;
  }
}
