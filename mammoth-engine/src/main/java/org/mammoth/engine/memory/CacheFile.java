// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A queue of cache units that is written once from front to end and then read by position (Mammoth
 * paper, Shi et al. 2015, §4.2.2). Whoever has used up a range says so with {@link #discard}, and
 * each unit goes back to its source as soon as all of its bytes are used up, so that a merge of n
 * files needs n units (§5.3). Several readers may each own a part of one file: the segments of a
 * final map output go to different reduces.
 *
 * <p>One thread writes. After {@link #finish}, any thread may read and discard; a read takes the
 * file's lock for one copy.
 */
public final class CacheFile implements AutoCloseable {

  private final int unitBytes;

  @GuardedBy("this")
  private final List<CacheUnit> units = new ArrayList<>();

  private volatile UnitSource source;

  /** Who each unit is charged to where that is not the source; null while nobody has taken any. */
  @GuardedBy("this")
  private UnitSource[] takers;

  /** Bytes of each unit nobody has discarded yet. */
  @GuardedBy("this")
  private int[] unread = new int[4];

  /** Written with the lock, by the one thread that appends; that thread reads it without. */
  private long length;

  @GuardedBy("this")
  private boolean finished;

  @GuardedBy("this")
  private boolean closed;

  /** An empty file that takes its units from {@code source}. */
  public CacheFile(UnitSource source) {
    this.source = source;
    this.unitBytes = source.unitBytes();
    source.opened(this);
  }

  /**
   * A finished file of units that were filled elsewhere, all but the last to the brim. The units
   * belong to the file from the call on; if it throws, they have been given back.
   *
   * @param source what the units are charged to
   * @throws IllegalStateException if the source has ended
   */
  public static CacheFile of(UnitSource source, List<CacheUnit> filled, long length) {
    CacheFile file;
    try {
      file = new CacheFile(source);
    } catch (IllegalStateException e) {
      filled.forEach(source::give);
      throw e;
    }
    file.fill(filled, length);
    return file;
  }

  private synchronized void fill(List<CacheUnit> filled, long bytes) {
    if (closed) {
      // its owner ended since the source took note of it
      filled.forEach(source::give);
      throw new IllegalStateException("a closed cache file was written");
    }
    filled.forEach(this::adopt);
    length = bytes;
    finish();
  }

  /** Bytes written so far. */
  public synchronized long length() {
    return length;
  }

  /** Bytes of the units it holds now. */
  public synchronized long heldBytes() {
    long held = 0;
    for (CacheUnit unit : units) {
      held += unit == null ? 0 : unitBytes;
    }
    return held;
  }

  /** Bytes of the units it holds that nobody has taken over by {@link #reassign}. */
  public synchronized long untakenBytes() {
    return chargedToSource();
  }

  @GuardedBy("this")
  private long chargedToSource() {
    long charged = 0;
    for (int i = 0; i < units.size(); i++) {
      boolean taken = takers != null && takers[i] != null;
      charged += units.get(i) == null || taken ? 0 : unitBytes;
    }
    return charged;
  }

  /** The source that its units are charged to, but for those taken over by {@link #reassign}. */
  public UnitSource source() {
    return source;
  }

  /**
   * Charges what it holds to another source and takes its units from there: a map's output becomes
   * send buffer, a segment for a reduce of the same node becomes receive buffer.
   *
   * @throws IllegalStateException if it is still being written, is closed, or {@code to} has ended;
   *     nothing has changed then
   */
  public synchronized void moveTo(UnitSource to) {
    if (!finished || closed) {
      throw new IllegalStateException(
          "a cache file was moved " + (closed ? "closed" : "unfinished"));
    }
    to.opened(this);
    try {
      source.move(to, chargedToSource());
    } catch (RuntimeException e) {
      to.closed(this);
      throw e;
    }
    source.closed(this);
    source = to;
  }

  /**
   * Charges the units that begin within a range to another source, which gets them back when they
   * are used up: a reduce of the same node takes its segment of a map's output over, while the
   * other segments stay where they are.
   *
   * @throws IllegalStateException if it is still being written, or {@code taker} has ended
   */
  public synchronized void reassign(long from, long to, UnitSource taker) {
    if (!finished) {
      throw new IllegalStateException("a part of an unfinished cache file was taken over");
    }
    if (closed) {
      return;
    }
    int first = (int) ((from + unitBytes - 1) / unitBytes);
    int end = (int) Math.min(units.size(), (to + unitBytes - 1) / unitBytes);
    long held = 0;
    for (int i = first; i < end; i++) {
      held += units.get(i) == null ? 0 : unitBytes;
    }
    if (held == 0) {
      return;
    }
    source.move(taker, held);
    if (takers == null) {
      takers = new UnitSource[units.size()];
    }
    Arrays.fill(takers, first, end, taker);
  }

  /** Bytes of the units that {@code taker} has taken over and not used up. */
  public synchronized long heldBy(UnitSource taker) {
    long held = 0;
    for (int i = 0; takers != null && i < takers.length; i++) {
      held += takers[i] == taker && units.get(i) != null ? unitBytes : 0;
    }
    return held;
  }

  /**
   * Gives back units that {@code taker} has taken over, the last ones first, as they would be read
   * last; readers see that their bytes are gone.
   *
   * @param wanted bytes that are enough
   * @return bytes given back
   */
  public synchronized long release(UnitSource taker, long wanted) {
    long freed = 0;
    for (int i = takers == null || closed ? -1 : takers.length - 1; i >= 0 && freed < wanted; i--) {
      if (takers[i] == taker && units.get(i) != null) {
        giveBack(i);
        freed += unitBytes;
      }
    }
    return freed;
  }

  /**
   * Gives back units that nobody has taken over, the last ones first; readers see that their bytes
   * are gone.
   *
   * @param wanted bytes that are enough
   * @return bytes given back; 0 while it is being written
   */
  public synchronized long releaseUntaken(long wanted) {
    long freed = 0;
    for (int i = finished && !closed ? units.size() - 1 : -1; i >= 0 && freed < wanted; i--) {
      if (units.get(i) != null && (takers == null || takers[i] == null)) {
        giveBack(i);
        freed += unitBytes;
      }
    }
    return freed;
  }

  @GuardedBy("this")
  private void giveBack(int index) {
    CacheUnit unit = units.set(index, null);
    if (unit != null) {
      UnitSource taker = takers == null ? null : takers[index];
      (taker == null ? source : taker).give(unit);
    }
  }

  /** Whether it was closed, or revoked, and holds nothing any more. */
  public synchronized boolean isClosed() {
    return closed;
  }

  /**
   * Appends bytes, waiting for units as the source does.
   *
   * @throws InterruptedException if the task was killed while it waited; the file stays as it was
   *     up to the last whole unit
   */
  public void append(byte[] from, int offset, int count) throws InterruptedException {
    int at = offset;
    int left = count;
    while (left > 0) {
      int inUnit = (int) (length % unitBytes);
      if (inUnit == 0) {
        adopt(source.take());
      }
      int now = Math.min(left, unitBytes - inUnit);
      write(from, at, now, inUnit);
      at += now;
      left -= now;
    }
  }

  /** Appends bytes if their units may be had at once; otherwise changes nothing. */
  public boolean tryAppend(byte[] from, int offset, int count) {
    int inUnit = (int) (length % unitBytes);
    int room = inUnit == 0 ? 0 : unitBytes - inUnit;
    int wanted = Math.max(0, count - room);
    int needed = (int) ((wanted + (long) unitBytes - 1) / unitBytes);
    List<CacheUnit> taken = new ArrayList<>(needed);
    try {
      while (taken.size() < needed) {
        CacheUnit unit = source.poll();
        if (unit == null) {
          // a refusal has made the scheduler revoke what others can do without
          unit = source.poll();
        }
        if (unit == null) {
          taken.forEach(source::give);
          return false;
        }
        taken.add(unit);
      }
    } catch (IllegalStateException e) {
      taken.forEach(source::give);
      throw e;
    }
    int at = offset;
    int left = count;
    int next = 0;
    try {
      while (left > 0) {
        int position = (int) (length % unitBytes);
        if (position == 0) {
          adopt(taken.get(next++));
        }
        int now = Math.min(left, unitBytes - position);
        write(from, at, now, position);
        at += now;
        left -= now;
      }
    } finally {
      // Its owner ended meanwhile: what the file has not adopted goes back too.
      taken.subList(next, taken.size()).forEach(source::give);
    }
    return true;
  }

  private synchronized void adopt(CacheUnit unit) {
    if (closed || finished) {
      source.give(unit);
      throw new IllegalStateException("a finished cache file was written");
    }
    if (units.size() == unread.length) {
      unread = Arrays.copyOf(unread, 2 * unread.length);
    }
    unread[units.size()] = unitBytes;
    units.add(unit);
  }

  private synchronized void write(byte[] from, int at, int count, int inUnit) {
    if (closed) {
      throw new IllegalStateException("a closed cache file was written");
    }
    units.get(units.size() - 1).put(inUnit, from, at, count);
    length += count;
  }

  /** Ends writing: what the last unit does not hold counts as used up. */
  public synchronized void finish() {
    if (finished) {
      return;
    }
    finished = true;
    int inLast = (int) (length % unitBytes);
    if (inLast != 0 && !closed) {
      used(units.size() - 1, unitBytes - inLast);
    }
  }

  /**
   * Copies up to {@code count} bytes from {@code position} on, as many as are held.
   *
   * @return how many were copied, 0 at the end, -1 if the first is not held any more
   */
  public synchronized int read(long position, byte[] into, int offset, int count) {
    if (closed) {
      return -1;
    }
    int copied = 0;
    int wanted = (int) Math.min(count, length - position);
    while (copied < wanted) {
      long at = position + copied;
      CacheUnit unit = units.get((int) (at / unitBytes));
      if (unit == null) {
        return copied == 0 ? -1 : copied;
      }
      int inUnit = (int) (at % unitBytes);
      int now = Math.min(wanted - copied, unitBytes - inUnit);
      unit.get(inUnit, into, offset + copied, now);
      copied += now;
    }
    return copied;
  }

  /**
   * Where what is not held ends: bytes given back do not come again.
   *
   * @return the first byte of {@code from} to {@code to} that is held, {@code to} if none is
   */
  public synchronized long nextHeld(long from, long to) {
    long at = from;
    while (!closed && at < to && units.get((int) (at / unitBytes)) == null) {
      at = (at / unitBytes + 1) * unitBytes;
    }
    return closed ? to : Math.min(at, to);
  }

  /**
   * Says that nobody will read a range again. Each byte may be discarded once; units whose bytes
   * are all discarded go back to the source. After {@link #close} it does nothing.
   */
  public synchronized void discard(long from, long to) {
    if (closed) {
      return;
    }
    long at = from;
    while (at < to) {
      int index = (int) (at / unitBytes);
      long end = Math.min(to, (index + 1L) * unitBytes);
      used(index, (int) (end - at));
      at = end;
    }
  }

  @GuardedBy("this")
  private void used(int index, int bytes) {
    unread[index] -= bytes;
    if (unread[index] < 0) {
      throw new IllegalStateException("a range of a cache file was discarded twice");
    }
    if (unread[index] == 0) {
      giveBack(index);
    }
  }

  /** Gives back whatever it still holds; readers see that the bytes are gone. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (int i = 0; i < units.size(); i++) {
      giveBack(i);
    }
    source.closed(this);
  }
}
