// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One buffer of a simulated task. What is revoked lies with the simulated disk until that has
 * written it, so units come back later than promised, or after their task has gone.
 */
final class SimulatedBuffer implements Revocable {

  /** A unit on its way to disk. */
  record Spill(SimulatedBuffer buffer, CacheUnit unit) {}

  final PooledSource source;
  Ticket ticket;

  /** Step at which the ticket began to wait. */
  long waitingSince;

  /** Units that cannot be asked back, as a merge works on them. */
  int pinned;

  private final Deque<CacheUnit> raw = new ArrayDeque<>();
  private final List<CacheFile> files = new ArrayList<>();
  private final Deque<Spill> disk;

  SimulatedBuffer(UnitSource source, Deque<Spill> disk) {
    this.source = (PooledSource) source;
    this.disk = disk;
  }

  int held() {
    return raw.size() + (int) files.stream().filter(file -> !file.isClosed()).count();
  }

  /** Polls for a unit and keeps it in a file, which comes back by itself when the task ends. */
  boolean poll() {
    CacheFile file = new CacheFile(source);
    if (!file.tryAppend(new byte[source.unitBytes()], 0, source.unitBytes())) {
      file.close();
      return false;
    }
    file.finish();
    files.add(file);
    return true;
  }

  /** Asks for a unit as one that would block; {@link #arrived} tells when it is there. */
  void request(CacheScheduler scheduler, long step) {
    ticket = scheduler.request(source);
    waitingSince = step;
  }

  boolean waits() {
    return ticket != null && ticket.pending();
  }

  /** Keeps what a granted request brought. */
  boolean arrived() {
    if (ticket == null || ticket.pending()) {
      return false;
    }
    if (ticket.unit != null) {
      raw.add(ticket.unit);
    }
    ticket = null;
    return true;
  }

  /** Hands everything to another buffer: sorted runs become output. */
  void moveTo(SimulatedBuffer other) {
    source.move(other.source, (long) raw.size() * source.unitBytes());
    other.raw.addAll(raw);
    raw.clear();
    for (CacheFile file : files) {
      if (!file.isClosed()) {
        file.moveTo(other.source);
        other.files.add(file);
      }
    }
    files.clear();
  }

  /** Gives one unit back, if it holds any. */
  boolean giveOne() {
    if (!raw.isEmpty()) {
      source.give(raw.poll());
      return true;
    }
    if (!files.isEmpty()) {
      files.remove(files.size() - 1).close();
      return true;
    }
    return false;
  }

  /** What a task's {@code finally} does; files it forgets about are the scheduler's to close. */
  void end() {
    arrived();
    while (!raw.isEmpty()) {
      source.give(raw.poll());
    }
  }

  @Override
  public BufferKind kind() {
    return source.kind;
  }

  @Override
  public LeaseOwner owner() {
    return source.owner;
  }

  @Override
  public long revocableBytes() {
    return (long) Math.max(0, held() - pinned) * source.unitBytes();
  }

  @Override
  public long revoke(long bytes) {
    long units = Math.min(bytes, revocableBytes()) / source.unitBytes();
    long promised = 0;
    while (promised < units && !raw.isEmpty()) {
      disk.add(new Spill(this, raw.poll()));
      promised++;
    }
    while (promised < units && !files.isEmpty()) {
      // Output that is on disk already is just dropped.
      files.remove(0).close();
      promised++;
    }
    return promised * source.unitBytes();
  }
}
