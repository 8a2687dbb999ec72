// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.mammoth.engine.levitated.RangeRequest;
import org.mammoth.engine.levitated.table.SegmentDirectory;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.Vints;

/**
 * The place where one subtree is at work at a time: it fetches a range of each segment that needs
 * one, all in one call, tops up those whose last record is before a pivot key, so that all are
 * merged to the same key, and merges to the subtree's buffer. What is left of the segments then is
 * small, and is kept with the subtree.
 *
 * <p>Its steps run one after the other, on any thread.
 */
final class Activation {

  /** Times the segments before the pivot are asked for more, each time for twice as much. */
  private static final int TOP_UPS = 6;

  /** Keys among which the pivot is the one in the middle. */
  private static final int SAMPLE = 33;

  /** What a segment's need is counted in: its share of the average of its subtree. */
  private static final int AVERAGE = 256;

  private final VirtualMerge merge;
  private final VirtualSizing sizes;
  private final Heads heads;
  private final HeadTree tree;

  /** Merged records on their way to the buffer, tails on theirs to rest. */
  private final byte[] stage;

  private final int[] asked;
  private final int[] wanted;
  private final int[] sample = new int[SAMPLE];
  private int askedCount;
  private List<RangeRequest> requests = List.of();
  private Subtree subtree;
  private SegmentDirectory directory;
  private long target;

  /** Bytes to be merged of an average segment. */
  private long each;

  private int staged;
  private int promised;
  private int topUps;
  private long passed;
  private boolean urgent;

  Activation(VirtualMerge merge, VirtualSizing sizes, KeyOrder order, int trailer) {
    this.merge = merge;
    this.sizes = sizes;
    int segments = sizes.subtreeSegments();
    this.heads = new Heads(order, segments, sizes.roomBytes(), sizes.lateBytes(), trailer);
    this.tree = new HeadTree(heads, segments);
    this.stage = new byte[sizes.stageBytes()];
    this.asked = new int[segments];
    this.wanted = new int[segments];
  }

  /**
   * Sets a subtree to work.
   *
   * @param target bytes its buffer is to hold then
   * @param pages promised to it already
   * @param urgent whether the reduce waits for it
   */
  void begin(Subtree subtree, long target, int pages, boolean urgent) {
    this.subtree = subtree;
    this.directory = subtree.directory;
    this.target = target;
    this.promised = pages;
    this.urgent = urgent;
    this.passed = 0;
    this.topUps = 0;
    this.staged = 0;
    // a turn may end at once and another begin: not on this stack
    merge.step(this, this::load);
  }

  private void load() throws IOException {
    heads.begin(directory);
    tree.clear();
    for (int i = 0; i < heads.size(); i++) {
      int tail = directory.tail(i);
      if (tail > 0) {
        int at = heads.extend(i, tail);
        promised += subtree.tails.readKeeping(heads.arena, at, tail);
        heads.limit[i] = at + tail;
        heads.scan(i);
      }
    }
    lap();
  }

  /** Asks for a range of each segment that holds less than what is likely to be merged of it. */
  private void lap() throws IOException {
    topUps = 0;
    int live = 0;
    for (int i = 0; i < heads.size(); i++) {
      live += heads.state[i] == Heads.END ? 0 : 1;
    }
    each = Math.max(1, (target - subtree.buffered()) / Math.max(1, live));
    askedCount = 0;
    for (int i = 0; i < heads.size(); i++) {
      if (!canFetch(i)) {
        continue;
      }
      int here = heads.limit[i] - heads.at[i];
      long need = need(i);
      if (!heads.hasWhole(i) || here < need) {
        want(i, Math.max(need - here, sizes.rangeBytes()));
      }
    }
    fetchOrMerge();
  }

  /** Whether more bytes of it would let the merge go on. */
  private boolean canFetch(int i) {
    return heads.left(i) > 0 && !(heads.hasWhole(i) && heads.isLateLast(i));
  }

  private void want(int i, long bytes) throws IOException {
    long least = Math.max(bytes, heads.missing(i));
    long left = heads.left(i);
    asked[askedCount] = i;
    wanted[askedCount++] = (int) Math.min(Math.min(least, left), Integer.MAX_VALUE / 4);
  }

  private void fetchOrMerge() throws IOException {
    if (askedCount == 0 || !affordable()) {
      mergeOn();
      return;
    }
    int[] places = wanted;
    int[] lengths = new int[askedCount];
    for (int k = 0; k < askedCount; k++) {
      lengths[k] = wanted[k];
      places[k] = heads.extend(asked[k], lengths[k]);
      // the place is fixed until the bytes are here, even if others move
      heads.limit[asked[k]] += lengths[k];
    }
    AtomicInteger open = new AtomicInteger(askedCount);
    Failure failure = new Failure();
    Consumer<Throwable> done =
        why -> {
          if (why != null) {
            failure.why = why;
          }
          if (open.decrementAndGet() == 0) {
            merge.step(this, () -> arrived(failure.why));
          }
        };
    List<RangeRequest> batch = new ArrayList<>(askedCount);
    for (int k = 0; k < askedCount; k++) {
      int i = asked[k];
      ByteBuffer into = ByteBuffer.wrap(heads.arena, places[k], lengths[k]);
      batch.add(new RangeRequest(heads.first() + i, heads.fetched[i], into, done));
      wanted[k] = lengths[k];
    }
    requests = batch;
    merge.counts().asked(askedCount);
    merge.reader().read(batch);
  }

  /** The first of several failures may be any. */
  private static final class Failure {
    private volatile Throwable why;
  }

  /** Sees to pages for what is to be fetched. */
  private boolean affordable() throws IOException {
    long bytes = 0;
    for (int k = 0; k < askedCount; k++) {
      bytes += wanted[k];
    }
    int pages = merge.pages().count(bytes);
    if (merge.promise(pages, subtree, urgent, false)) {
      promised += pages;
      return true;
    }
    if (!urgent) {
      return false;
    }
    // the reduce waits: only what takes it on
    shrink();
    bytes = 0;
    for (int k = 0; k < askedCount; k++) {
      bytes += wanted[k];
    }
    pages = merge.pages().count(bytes);
    if (askedCount > 0 && !merge.promise(pages, subtree, true, true)) {
      throw new IOException(
          "the merge of this reduce needs "
              + bytes
              + " bytes more to go on, and there are none. Raise mammoth.memory.pool-fraction, or"
              + " set mammoth.shuffle.merge to spill.");
    }
    promised += askedCount > 0 ? pages : 0;
    return askedCount > 0;
  }

  /** Leaves only the segments without which not one record can be merged, and little of each. */
  private void shrink() throws IOException {
    int kept = 0;
    for (int k = 0; k < askedCount; k++) {
      int i = asked[k];
      if (!heads.hasWhole(i)) {
        long least = Math.max(heads.missing(i), Math.min(wanted[k], 256));
        asked[kept] = i;
        wanted[kept++] = (int) Math.min(wanted[k], least);
      }
    }
    askedCount = kept;
  }

  private void arrived(Throwable failure) throws IOException {
    if (failure != null) {
      throw failure instanceof IOException io
          ? io
          : new IOException("a range of a map's output could not be read", failure);
    }
    long bytes = 0;
    for (int k = 0; k < askedCount; k++) {
      int i = asked[k];
      if (requests.get(k).into().hasRemaining()) {
        throw new IOException("a range of segment " + (heads.first() + i) + " came incomplete");
      }
      heads.fetched[i] += wanted[k];
      bytes += wanted[k];
      heads.scan(i);
    }
    requests = List.of();
    merge.counts().fetched(bytes);
    if (topUps++ < TOP_UPS) {
      topUp();
    } else {
      askedCount = 0;
    }
    fetchOrMerge();
  }

  /** Asks for more of the segments that do not reach the pivot, or less far if that is too much. */
  private void topUp() throws IOException {
    int candidates = sampled();
    long range = (long) sizes.rangeBytes() << Math.min(20, topUps - 1);
    long budget =
        Math.max(range, target + (long) sizes.rangeBytes() * heads.size() - heads.used() / 2);
    for (int rank = pivotRank(candidates); ; rank /= 2) {
      int pivot = candidates == 0 ? -1 : sample[rank];
      askedCount = 0;
      for (int i = 0; i < heads.size(); i++) {
        if (canFetch(i) && (!heads.hasWhole(i) || pivot >= 0 && heads.compareLast(i, pivot) < 0)) {
          want(i, range);
        }
      }
      if (rank == 0 || askedCount * range <= budget) {
        return;
      }
    }
  }

  /**
   * The pivot's place in the sample: where as much is merged as is wanted, at most the middle.
   * Beyond that more segments would be fetched than the buffer has room for.
   */
  private int pivotRank(int candidates) {
    for (int rank = 0; rank < candidates / 2; rank++) {
      int i = sample[rank];
      if (heads.scanned[i] - heads.at[i] >= need(i)) {
        return rank;
      }
    }
    return candidates / 2;
  }

  /** Bytes that are likely to be merged of a segment until the buffer is as full as is wanted. */
  private long need(int i) {
    int share = directory.need(i);
    return share < 0 ? each : each * share / AVERAGE;
  }

  /** Sorts last records of some segments that may go on; tells of how many. */
  private int sampled() {
    int step = Math.max(1, heads.size() / SAMPLE);
    int count = 0;
    for (int i = 0; i < heads.size() && count < SAMPLE; i += step) {
      if (heads.hasWhole(i) && !heads.all[i]) {
        int at = count++;
        for (; at > 0 && heads.compareLast(i, sample[at - 1]) < 0; at--) {
          sample[at] = sample[at - 1];
        }
        sample[at] = i;
      }
    }
    return count;
  }

  /** Merges until a segment has to fetch, the buffer is full or all have ended. */
  private void mergeOn() throws IOException {
    long limit = Math.max(sizes.bufferBytes(), target);
    long before = passed;
    boolean ended = false;
    if (tree.ready()) {
      long room = limit - subtree.buffered();
      while (passed - before < room) {
        int winner = tree.winner();
        if (heads.state[winner] == Heads.END) {
          ended = true;
          break;
        }
        emit(winner);
        if (!tree.next()) {
          break;
        }
      }
    }
    flush();
    if (ended) {
      finish();
    } else if (passed > before && subtree.buffered() < target && heads.used() < mostUsed()) {
      lap();
    } else {
      rest();
    }
  }

  private long mostUsed() {
    return sizes.roomBytes() / 2;
  }

  private void emit(int winner) throws IOException {
    int from = heads.at[winner];
    boolean late = heads.state[winner] == Heads.LATE;
    int to = late ? heads.keyAt[winner] + heads.keyLength[winner] : heads.end[winner];
    int length = to - from;
    int above = subtree.ranked ? directory.map(winner) - subtree.firstRank : 0;
    int tag = subtree.ranked ? Vints.sizeOf(above) : 0;
    int head = tag + (late ? SubtreeCursor.LATE_HEAD : 0);
    if (staged + head + length > stage.length) {
      flush();
    }
    byte[] into = stage;
    if (head + length > stage.length) {
      into = new byte[head + length];
    }
    if (tag > 0) {
      Vints.write(into, staged, above);
    }
    if (late) {
      ByteBuffer.wrap(into, staged + tag, SubtreeCursor.LATE_HEAD)
          .put(SubtreeCursor.LATE)
          .putInt(heads.first() + winner)
          .putLong(heads.valueOffset(winner));
    }
    System.arraycopy(heads.arena, from, into, staged + head, length);
    staged += head + length;
    passed += head + length;
    subtree.horizon = heads.prefix[winner];
    if (into != stage) {
      append(into);
    }
    int dropped = heads.pass(winner);
    if (dropped > 0) {
      merge.counts().dropped(dropped);
    }
  }

  private void flush() throws IOException {
    if (staged > 0) {
      append(stage);
    }
  }

  private void append(byte[] records) throws IOException {
    ensure(staged);
    promised -= subtree.append(records, staged);
    staged = 0;
    merge.turnsWake(subtree);
  }

  /** Heads of late records, and pages that are not full, may take more than was fetched. */
  private void ensure(int bytes) throws IOException {
    int pages = merge.pages().count(bytes) + 1;
    if (promised < pages) {
      if (!merge.promise(pages - promised, subtree, urgent, true)) {
        throw new IOException("the merge of this reduce finds no page for merged records");
      }
      promised = pages;
    }
  }

  private void finish() {
    for (int i = 0; i < heads.size(); i++) {
      directory.fetched(i, SegmentDirectory.ALL_MERGED);
      directory.tail(i, 0);
    }
    subtree.end();
    done();
  }

  /** Keeps what is left of the segments, and what was learned of their need. */
  private void rest() throws IOException {
    long all = 0;
    int live = 0;
    for (int i = 0; i < heads.size(); i++) {
      all += heads.merged[i];
      live += heads.state[i] == Heads.END && heads.merged[i] == 0 ? 0 : 1;
    }
    long average = all / Math.max(1, live);
    for (int i = 0; i < heads.size(); i++) {
      if (heads.state[i] == Heads.END) {
        directory.fetched(i, SegmentDirectory.ALL_MERGED);
        directory.tail(i, 0);
        continue;
      }
      int tail = heads.limit[i] - heads.at[i];
      directory.fetched(i, heads.fetched[i]);
      directory.tail(i, tail);
      directory.sum(i, heads.sum[i], heads.sumUnknown[i]);
      if (staged + tail > stage.length) {
        keepTails();
      }
      if (tail > stage.length) {
        ensure(tail);
        promised -= subtree.tails.append(heads.arena, heads.at[i], tail);
      } else {
        System.arraycopy(heads.arena, heads.at[i], stage, staged, tail);
        staged += tail;
      }
      if (average > 0) {
        int share = (int) Math.min(1 << 20, heads.merged[i] * AVERAGE / average);
        int known = directory.need(i);
        directory.need(i, ((known < 0 ? AVERAGE : known) * 3 + share) / 4);
      }
    }
    keepTails();
    done();
  }

  private void keepTails() throws IOException {
    ensure(staged);
    promised -= subtree.tails.append(stage, 0, staged);
    staged = 0;
  }

  private void done() {
    Subtree was = subtree;
    subtree = null;
    giveUp();
    merge.rested(this, was, passed > 0);
  }

  /** Forgets what it was promised; nothing of the subtree is usable if it did not rest. */
  void giveUp() {
    merge.pages().forget(promised);
    promised = 0;
  }
}
