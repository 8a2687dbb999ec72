// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import org.mammoth.engine.config.BufferType;

/**
 * A pool that watches its borrowers: a unit given back twice or by mistake, written after it was
 * given back, or never given back is an error that names who did it. It fills each returned unit
 * with a pattern, so it costs a copy per unit: for tests and diagnosis (mammoth.memory.leak-check).
 */
public final class LeakCheckingPool extends CachePool implements AutoCloseable {

  private static final byte PATTERN = (byte) 0xA5;

  /** Where each unit was last lent or given back. */
  private static final class Trace {

    final Throwable place;
    final boolean lent;

    Trace(boolean lent) {
      this.lent = lent;
      this.place =
          new Throwable((lent ? "lent to " : "given back by ") + Thread.currentThread().getName());
    }
  }

  @GuardedBy("this")
  private final Map<CacheUnit, Trace> traces = new IdentityHashMap<>();

  private final byte[] pattern;
  private final byte[] scratch;

  /** A pool as {@link CachePool} has it, all of it allocated at once. */
  public LeakCheckingPool(BufferType type, int unitBytes, int units) {
    super(type, unitBytes, units);
    pattern = new byte[unitBytes];
    scratch = new byte[unitBytes];
    Arrays.fill(pattern, PATTERN);
    CacheUnit[] all = new CacheUnit[units];
    for (int i = 0; i < units; i++) {
      all[i] = super.poll();
      all[i].put(0, pattern, 0, unitBytes);
    }
    for (CacheUnit unit : all) {
      traces.put(unit, null);
      super.give(unit);
    }
  }

  /**
   * Lends a unit.
   *
   * @throws IllegalStateException if somebody wrote it after giving it back; the cause shows who
   *     gave it
   */
  @Override
  public synchronized CacheUnit poll() {
    CacheUnit unit = super.poll();
    if (unit == null) {
      return null;
    }
    unit.get(0, scratch, 0, unitBytes());
    Trace before = traces.put(unit, new Trace(true));
    if (!Arrays.equals(scratch, pattern)) {
      throw new IllegalStateException(
          "a cache unit was written after it had been given back",
          before == null ? null : before.place);
    }
    return unit;
  }

  /**
   * Takes a unit back.
   *
   * @throws IllegalStateException if it is of another pool, or nobody holds it
   */
  @Override
  public synchronized void give(CacheUnit unit) {
    if (!traces.containsKey(unit)) {
      throw new IllegalStateException("a unit of another pool was given to a cache pool");
    }
    Trace before = traces.get(unit);
    if (before == null || !before.lent) {
      throw new IllegalStateException(
          "a cache unit was given back twice", before == null ? null : before.place);
    }
    traces.put(unit, new Trace(false));
    unit.put(0, pattern, 0, unitBytes());
    super.give(unit);
  }

  /** Every unit that is lent, with the stack of the borrower; empty if none is. */
  public synchronized String holders() {
    StringWriter text = new StringWriter();
    PrintWriter lines = new PrintWriter(text);
    for (Trace trace : traces.values()) {
      if (trace != null && trace.lent) {
        trace.place.printStackTrace(lines);
      }
    }
    lines.flush();
    return text.toString();
  }

  /**
   * Ends the test.
   *
   * @throws IllegalStateException if a unit is still lent, with the stacks of all borrowers, or was
   *     written after it had been given back
   */
  @Override
  public synchronized void close() {
    int lent = units() - freeUnits();
    if (lent > 0) {
      throw new IllegalStateException(lent + " cache units were never given back:\n" + holders());
    }
    for (int i = 0; i < units(); i++) {
      poll();
    }
  }
}
