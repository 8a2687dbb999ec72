// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Units taken in advance for one cache file whose length is known, so that bytes another node sends
 * find their place without anybody waiting. What the file does not take goes back with {@link
 * #close}. Safe for any thread.
 */
public final class ReservedUnits implements UnitSource, AutoCloseable {

  private final UnitSource source;

  @GuardedBy("this")
  private final Deque<CacheUnit> free = new ArrayDeque<>();

  private ReservedUnits(UnitSource source) {
    this.source = source;
  }

  /**
   * Takes units for {@code bytes}, without waiting.
   *
   * @return null, and nothing is taken, if they are not to be had at once
   * @throws IllegalStateException if the lease has ended
   */
  @SuppressWarnings("GuardedBy") // no other thread knows it yet
  public static ReservedUnits take(UnitSource source, long bytes) {
    ReservedUnits reserved = new ReservedUnits(source);
    long needed = (bytes + source.unitBytes() - 1) / source.unitBytes();
    boolean all = false;
    try {
      while (reserved.free.size() < needed) {
        CacheUnit unit = source.poll();
        if (unit == null) {
          return null;
        }
        reserved.free.add(unit);
      }
      all = true;
      return reserved;
    } finally {
      if (!all) {
        reserved.close();
      }
    }
  }

  @Override
  public int unitBytes() {
    return source.unitBytes();
  }

  @Override
  public synchronized CacheUnit poll() {
    return free.poll();
  }

  @Override
  public CacheUnit take() {
    CacheUnit unit = poll();
    if (unit == null) {
      throw new IllegalStateException("a cache file outgrew the units reserved for it");
    }
    return unit;
  }

  @Override
  public void give(CacheUnit unit) {
    source.give(unit);
  }

  @Override
  public void move(UnitSource to, long bytes) {
    source.move(to, bytes);
  }

  @Override
  public void opened(CacheFile file) {
    source.opened(file);
  }

  @Override
  public void closed(CacheFile file) {
    source.closed(file);
  }

  /** Gives back what was not taken. Safe to call twice. */
  @Override
  public synchronized void close() {
    while (!free.isEmpty()) {
      source.give(free.poll());
    }
  }
}
