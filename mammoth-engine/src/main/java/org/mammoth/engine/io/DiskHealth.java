// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.mammoth.api.status.DiskUse;
import org.mammoth.engine.config.IoKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which local directories may be used. One with an I/O error is quarantined for {@code
 * mammoth.io.quarantine.time-ms}; a full one is left out until {@code mammoth.io.full.free-mb} are
 * free. Each comes back only after a probe file was written and read in it.
 *
 * <p>Safe for any thread; only {@link #suspect} and {@link #probe} do I/O, without a lock.
 */
public final class DiskHealth {

  /** How a directory stands. */
  public enum State {
    /** In use. */
    HEALTHY,
    /** Left out after an I/O error. */
    QUARANTINED,
    /** Left out until there is space. */
    FULL
  }

  private static final Logger LOG = LoggerFactory.getLogger(DiskHealth.class);

  private static final class Standing {
    State state = State.HEALTHY;
    String reason = "";
    long since;
    boolean probing;
  }

  @GuardedBy("this")
  private final Map<Path, Standing> dirs = new LinkedHashMap<>();

  private final IoSettings.Outage outage;
  private final DirProbe prober;
  private final LongSupplier clock;
  private final HealthListener listener;

  DiskHealth(
      List<Path> dirs,
      IoSettings.Outage outage,
      DirProbe prober,
      LongSupplier clock,
      HealthListener listener) {
    dirs.forEach(dir -> this.dirs.put(dir, new Standing()));
    this.outage = outage;
    this.prober = prober;
    this.clock = clock;
    this.listener = listener;
  }

  /** The directories in use, in their configured order. */
  synchronized List<Path> healthy() {
    List<Path> healthy = new ArrayList<>();
    dirs.forEach(
        (dir, standing) -> {
          if (standing.state == State.HEALTHY) {
            healthy.add(dir);
          }
        });
    return healthy;
  }

  /**
   * Does nothing if a directory is in use.
   *
   * @throws IOException if it is left out
   */
  synchronized void require(Path dir) throws IOException {
    Standing standing = dirs.get(dir);
    if (standing != null && standing.state != State.HEALTHY) {
      throw new IOException(
          "no file is begun in local directory "
              + dir
              + ", it is "
              + (standing.state == State.FULL ? "full" : "quarantined")
              + " since: "
              + standing.reason
              + ". See "
              + (standing.state == State.FULL
                  ? IoKeys.FULL_FREE_MB.name()
                  : IoKeys.QUARANTINE_TIME_MS.name()));
    }
  }

  /** Leaves a directory out from now on. */
  void failed(Path dir, State state, String reason) {
    move(dir, state, reason);
  }

  /** Probes a directory in which something failed that may not be the disk's fault. */
  void suspect(Path dir, String reason) {
    try {
      prober.tryFile(dir);
    } catch (IOException | RuntimeException e) {
      State state =
          DiskFault.of(e, IoDirection.WRITE) == DiskFault.FULL ? State.FULL : State.QUARANTINED;
      move(dir, state, reason + "; then a probe file: " + e);
    }
  }

  /** Directories left out long enough; each is handed out once until it was probed. */
  synchronized List<Path> due() {
    long now = clock.getAsLong();
    List<Path> due = new ArrayList<>();
    dirs.forEach(
        (dir, standing) -> {
          if (standing.state != State.HEALTHY
              && !standing.probing
              && now - standing.since >= pause(standing.state)) {
            standing.probing = true;
            due.add(dir);
          }
        });
    return due;
  }

  /** Probes a directory that is due; does it no good, it stays out for another pause. */
  void probe(Path dir) {
    State before;
    synchronized (this) {
      before = dirs.get(dir).state;
    }
    State state = State.HEALTHY;
    String reason = "a probe file was written and read";
    try {
      long usable = prober.usableBytes(dir);
      if (before == State.FULL && usable < outage.fullFreeBytes()) {
        state = State.FULL;
        reason = usable + " bytes are free, " + IoKeys.FULL_FREE_MB.name() + " asks for more";
      } else {
        prober.tryFile(dir);
      }
    } catch (IOException | RuntimeException e) {
      state = DiskFault.of(e, IoDirection.WRITE) == DiskFault.FULL ? State.FULL : State.QUARANTINED;
      reason = "a probe file: " + e;
    }
    move(dir, state, reason);
  }

  private void move(Path dir, State state, String reason) {
    boolean changed;
    synchronized (this) {
      Standing standing = dirs.get(dir);
      if (standing == null) {
        return;
      }
      changed = standing.state != state;
      standing.state = state;
      standing.reason = state == State.HEALTHY ? "" : reason;
      standing.since = clock.getAsLong();
      standing.probing = false;
    }
    if (changed) {
      if (state == State.HEALTHY) {
        LOG.info("local directory {} is used again: {}", dir, reason);
      } else {
        LOG.warn("local directory {} is left out, {}: {}", dir, state, reason);
      }
      try {
        listener.changed(dir, state, reason);
      } catch (RuntimeException e) {
        LOG.warn("telling of local directory {} failed", dir, e);
      }
    }
  }

  private long pause(State state) {
    return state == State.FULL ? outage.fullRetryNanos() : outage.quarantineNanos();
  }

  synchronized DiskUse.Dir snapshot(Path dir) {
    Standing standing = dirs.get(dir);
    long left =
        standing.state == State.HEALTHY
            ? 0
            : Math.max(0, pause(standing.state) - (clock.getAsLong() - standing.since));
    return new DiskUse.Dir(
        dir.toString(),
        standing.state.name(),
        standing.reason,
        TimeUnit.NANOSECONDS.toMillis(left));
  }
}
