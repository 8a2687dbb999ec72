// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.mammoth.engine.sort.elements.Element;

/**
 * The spills that upstream makes of a map's output, so that equal keys come in its order, whatever
 * the comparator, and are combined as often. Without a combiner they stay in memory as long as
 * there is any. Where upstream's own order is a matter of time, or memory is too short, the spills
 * are left: what comes then is sorted elsewhere.
 *
 * <p>One thread at a time.
 */
public final class UpstreamSpills {

  /** Writes what has been sorted so far. */
  public interface Runs {

    /** Writes a spill as a run. */
    void write(Spill spill, boolean combine) throws IOException, InterruptedException;

    /** Writes the spill at hand as a run, with whatever was sorted elsewhere. */
    void writeAll(boolean combine) throws IOException, InterruptedException;
  }

  private final UpstreamSort settings;
  private final UpstreamBuffer buffer;
  private final boolean combines;
  private final Supplier<Spill> opener;
  private final Runs runs;

  /** Those that have ended and are in memory; those before them are runs. */
  private final Deque<Spill> ended = new ArrayDeque<>();

  /** The records since the last spill ended; null once the spills are left. */
  private Spill spill;

  /** Whether upstream would have begun another spill with a large record. */
  private boolean endsWithLarge;

  private boolean hasRuns;

  /** Whether there are runs that a combiner has not seen. */
  private boolean hasRawRuns;

  /**
   * The spills of one map.
   *
   * @param combines whether the job has a combiner
   * @param opener makes an empty spill
   */
  public UpstreamSpills(
      UpstreamSort settings, boolean combines, Supplier<Spill> opener, Runs runs) {
    this.settings = settings;
    this.buffer = new UpstreamBuffer(settings);
    this.combines = combines;
    this.opener = opener;
    this.runs = runs;
    this.spill = opener.get();
  }

  /** Whether records still go here. */
  public boolean areOpen() {
    return spill != null;
  }

  /** Whether the spill at hand has records. */
  public boolean hasRecords() {
    return spill != null && !spill.isEmpty();
  }

  /** Whether there are runs that a combiner has not seen. */
  public boolean hasRawRuns() {
    return hasRawRuns;
  }

  /** Whether upstream's combiner would not have run yet. */
  public boolean combineOnce() {
    return combines && spill != null && (!hasRuns || hasRawRuns);
  }

  /** Whether all records so far are in upstream's spills, of which there are several. */
  public boolean areSeveral() {
    boolean several = hasRuns || !ended.isEmpty();
    return several && spill != null && !hasRawRuns;
  }

  /** Adds an element; false if what is left of it goes elsewhere. */
  public boolean add(Element element) throws IOException, InterruptedException {
    if (spill == null) {
      return false;
    }
    if (endsWithLarge) {
      endsWithLarge = false;
      if (!goOn()) {
        leave();
        return false;
      }
      endSpill();
    }
    while (true) {
      int taken = buffer.take(element, 0);
      boolean ends = taken < element.count();
      if (ends && !goOn()) {
        leave();
        return false;
      }
      if (taken > 0 && !addToSpill(element, taken)) {
        return false;
      }
      if (!ends) {
        return true;
      }
      endSpill();
      element.dropFirst(taken);
    }
  }

  private boolean addToSpill(Element element, int taken) throws IOException, InterruptedException {
    if (spill.add(element, taken) || writeEnded() && spill.add(element, taken)) {
      return true;
    }
    giveMemory();
    return spill != null && taken == element.count() && spill.add(element, taken);
  }

  /** Takes note of a record that is kept elsewhere because no element holds it. */
  public void addLarge(int keyLength, int valueLength) {
    if (spill != null && !buffer.take(keyLength, valueLength)) {
      buffer.take(keyLength, valueLength);
      endsWithLarge = true;
    }
  }

  /** Whether records are still sorted like upstream's after its first spill. */
  private boolean goOn() {
    return !hasRawRuns && settings.isSteady();
  }

  /** Does what upstream does with a spill, but keeps it in memory if it can. */
  public void endSpill() throws IOException, InterruptedException {
    if (spill.isEmpty()) {
      return;
    }
    if (combines) {
      write(spill, true);
    } else {
      spill.end();
      ended.add(spill);
      spill = opener.get();
    }
  }

  private void write(Spill full, boolean combine) throws IOException, InterruptedException {
    runs.write(full, combine);
    hasRuns = true;
    full.free();
  }

  /** Writes the spills in memory that have ended as runs; false if there are none. */
  public boolean writeEnded() throws IOException, InterruptedException {
    boolean any = !ended.isEmpty();
    while (!ended.isEmpty()) {
      write(ended.peek(), false);
      ended.remove();
    }
    return any;
  }

  /**
   * Writes the spill at hand as memory is short. If a combiner is to run once, it does so when all
   * runs are merged, and the spill goes on; else the spills are left.
   */
  public void giveMemory() throws IOException, InterruptedException {
    if (combineOnce()) {
      hasRawRuns = true;
      runs.writeAll(false);
      hasRuns = true;
    } else {
      leave();
    }
  }

  private void leave() throws IOException, InterruptedException {
    if (!spill.isEmpty()) {
      runs.writeAll(combines && !hasRawRuns);
    }
    spill.free();
    spill = null;
  }

  /** The spill at hand, if it has records. */
  public List<Spill> current() {
    return hasRecords() ? List.of(spill) : List.of();
  }

  /** All spills in memory that have records, in upstream's order. */
  public List<Spill> all() {
    List<Spill> all = new ArrayList<>(ended);
    all.addAll(current());
    return all;
  }

  /** Forgets the records of the spill at hand. */
  public void freeCurrent() {
    if (spill != null) {
      spill.free();
    }
  }

  /** Forgets all records and gives all memory back. */
  public void free() {
    freeCurrent();
    ended.forEach(Spill::free);
    ended.clear();
  }
}
