// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console's axis of time: that of the host's clock, but it never goes back, and a jump of that
 * clock does not move it at once. It follows small differences. After a jump forward that lasts it
 * goes on from the new time; after one back it goes on as if nothing had happened, until the host's
 * clock has caught up or the console restarts. Any thread.
 */
public final class SteadyClock extends Clock {

  private static final Logger LOG = LoggerFactory.getLogger(SteadyClock.class);

  /** Differences up to this are drift. */
  private static final long DRIFT_MS = 5_000;

  /** How long a jump forward has to last; a sleeping host's does. */
  private static final long BELIEF_MS = 60_000;

  /** How long a jump that was followed is told of. */
  private static final long TOLD_MS = 3_600_000;

  private final Clock wall;
  private final LongSupplier nanos;
  private long seenNanos;
  private long axisNanos;
  private Jump jump;
  private String past = "";
  private long pastMs;

  /** A jump that has not been followed: its size, and when it was seen on the axis. */
  private record Jump(long byMs, long atMs) {}

  /**
   * @param wall the host's clock
   * @param nanos runs on whatever happens to that clock, as {@link System#nanoTime}
   */
  public SteadyClock(Clock wall, LongSupplier nanos) {
    this.wall = wall;
    this.nanos = nanos;
    this.seenNanos = nanos.getAsLong();
    this.axisNanos = TimeUnit.MILLISECONDS.toNanos(wall.millis());
  }

  @Override
  public synchronized long millis() {
    long now = nanos.getAsLong();
    long elapsed = Math.max(0, now - seenNanos);
    seenNanos = now;
    axisNanos += elapsed;
    long axis = axis();
    long off = wall.millis() - axis;
    if (Math.abs(off) <= DRIFT_MS) {
      drift(off, elapsed);
    } else if (jump == null || Math.abs(off - jump.byMs()) > DRIFT_MS) {
      jump = new Jump(off, axis);
      LOG.warn("{}", words(jump));
    } else if (off > 0 && axis - jump.atMs() >= BELIEF_MS) {
      past = words(jump) + " History has a gap there.";
      axisNanos += TimeUnit.MILLISECONDS.toNanos(off);
      pastMs = axis();
      jump = null;
      LOG.warn("{}", past);
    }
    return axis();
  }

  private long axis() {
    return TimeUnit.NANOSECONDS.toMillis(axisNanos);
  }

  /** Forward at once; back by going at half speed. */
  private void drift(long offMs, long elapsed) {
    if (offMs > 0) {
      axisNanos += TimeUnit.MILLISECONDS.toNanos(offMs);
    } else {
      axisNanos -= Math.min(elapsed / 2, TimeUnit.MILLISECONDS.toNanos(-offMs));
    }
    if (jump != null) {
      LOG.info("The clock of the console's host is right again");
      jump = null;
    }
  }

  private static String words(Jump jump) {
    long s = (Math.abs(jump.byMs()) + 500) / 1000;
    String size = s < 7200 ? s + " s" : s < 172_800 ? s / 3600 + " h" : s / 86_400 + " days";
    String at =
        Instant.ofEpochMilli(jump.atMs())
            .truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
            .toString();
    return jump.byMs() > 0
        ? "The clock of the console's host jumped forward by " + size + " at " + at + "."
        : "The clock of the console's host was set back by "
            + size
            + " at "
            + at
            + ". Times here go on from before; a restart of the console takes the new time.";
  }

  /** What people have to know of the clock; empty if it runs as it should. */
  public synchronized String notice() {
    if (jump != null) {
      return words(jump);
    }
    return axis() - pastMs < TOLD_MS ? past : "";
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return wall.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return new SteadyClock(wall.withZone(zone), nanos);
  }
}
