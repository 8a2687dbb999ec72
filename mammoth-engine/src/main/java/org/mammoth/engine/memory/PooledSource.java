// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** The units of one attempt for one kind of buffer. Its fields are guarded by the scheduler. */
final class PooledSource implements UnitSource {

  /** How far its life has come. */
  enum Stage {
    /** Lends. */
    OPEN,
    /** Lends no more; what is out stays out until it is used up. */
    DRAINING,
    /** Everything comes back. */
    ENDED
  }

  final LeaseOwner owner;
  final BufferKind kind;
  final JobAccount job;
  final Lease lease;
  final Set<CacheFile> files = Collections.newSetFromMap(new IdentityHashMap<>());
  Stage stage = Stage.OPEN;

  /** Units lent, or moved here. */
  long held;

  /** The most it ever held. */
  long peak;

  /** Units that ever came back. */
  long returned;

  /** Units a revocation said will come back, and when it said so. */
  long promised;

  long promisedAt;

  private final CacheScheduler scheduler;

  PooledSource(
      CacheScheduler scheduler, LeaseOwner owner, BufferKind kind, JobAccount job, Lease lease) {
    this.scheduler = scheduler;
    this.owner = owner;
    this.kind = kind;
    this.job = job;
    this.lease = lease;
  }

  @Override
  public int unitBytes() {
    return scheduler.unitBytes();
  }

  @Override
  public CacheUnit poll() {
    return scheduler.poll(this);
  }

  @Override
  public CacheUnit take() throws InterruptedException {
    return scheduler.take(this);
  }

  @Override
  public void give(CacheUnit unit) {
    scheduler.give(this, unit);
  }

  @Override
  public void move(UnitSource to, long bytes) {
    if (!(to instanceof PooledSource other) || other.scheduler != scheduler) {
      throw new IllegalArgumentException(
          "units of " + owner + " cannot move to a source of another pool");
    }
    scheduler.move(this, other, bytes);
  }

  @Override
  public void left(long bytes) {
    scheduler.left(this, bytes);
  }

  @Override
  public long roomBytes() {
    return scheduler.roomOfReduce();
  }

  @Override
  public void opened(CacheFile file) {
    scheduler.opened(this, file);
  }

  @Override
  public void closed(CacheFile file) {
    scheduler.closed(this, file);
  }

  void mustBeOpen() {
    if (stage != Stage.OPEN) {
      throw new IllegalStateException(
          "the " + kind + " buffer of " + owner + " was used after it had ended");
    }
  }
}
