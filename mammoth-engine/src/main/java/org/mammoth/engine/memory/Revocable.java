// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/**
 * Memory that its holder can do without: sorted runs that can be spilled, output that is on disk
 * already, received segments that can be merged to disk. Registered with {@link
 * CacheScheduler#register}; the scheduler calls it without holding a lock, one call at a time.
 *
 * <p>Freeing must never wait for the pool it relieves: what a spill needs is charged to {@link
 * BufferKind#IO} beforehand. Whatever a running map holds beyond its guaranteed minimum must be
 * revocable, or come back without more memory.
 */
public interface Revocable {

  /** {@link BufferKind#SORT}, {@link BufferKind#SEND} or {@link BufferKind#RECEIVE}. */
  BufferKind kind();

  /** Whose memory it is: the owner of the source the units were taken from. */
  LeaseOwner owner();

  /** How many bytes could be asked back now, at least 0. */
  long revocableBytes();

  /**
   * Starts to free at least {@code bytes} if it can. Returns without waiting for a disk; the units
   * come back by {@link UnitSource#give} then or later.
   *
   * @return how many bytes will come back because of this call, 0 if none
   */
  long revoke(long bytes);
}
