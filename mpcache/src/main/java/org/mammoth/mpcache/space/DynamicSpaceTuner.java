// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.space;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.LongSupplier;

/**
 * The slave's Dynamic Space Tuner (mpCache paper, Wang et al. 2016, §3.2). The Localized Cache
 * grows into the Dynamic Pool one block at a time, taking cached input out of it where needed; once
 * less than the guard value of it is in use, every pool block it does not need goes back.
 *
 * <p>Safe for any thread. The lock is held for arithmetic only, never while input is evicted. Two
 * requests at once may evict a block more than they need; neither is granted space there is not.
 */
public final class DynamicSpaceTuner {

  private final LongSupplier inputUsed;
  private final SpaceMaker spaceMaker;

  @GuardedBy("this")
  private SpaceShares shares;

  @GuardedBy("this")
  private double guard;

  @GuardedBy("this")
  private long localizedUsed;

  @GuardedBy("this")
  private long localizedPeak;

  @GuardedBy("this")
  private int lent;

  @GuardedBy("this")
  private long refused;

  /**
   * @param guard utilisation of the Localized Cache below which pool blocks go back, 0..1
   * @param inputUsed bytes of input cached on this slave now; called under the tuner's lock, so it
   *     must not block
   * @param spaceMaker evicts input
   */
  public DynamicSpaceTuner(
      SpaceShares shares, double guard, LongSupplier inputUsed, SpaceMaker spaceMaker) {
    this.shares = shares;
    this.guard = checked(guard);
    this.inputUsed = inputUsed;
    this.spaceMaker = spaceMaker;
  }

  private static double checked(double guard) {
    if (!(guard >= 0 && guard <= 1)) {
      throw new IllegalArgumentException(
          "mammoth.mpcache.guard is " + guard + ", allowed: 0.0 .. 1.0");
    }
    return guard;
  }

  /** Changes the guard value; pool blocks that are unneeded by the new one go back at once. */
  public synchronized void guard(double value) {
    guard = checked(value);
    reclaim();
  }

  /** The guard value. */
  public synchronized double guard() {
    return guard;
  }

  /**
   * Asks for room for localized data.
   *
   * @param bytes how much, not negative
   * @return whether it is granted; a grant is given back with {@link #release}
   */
  public boolean acquire(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("asked for " + bytes + " bytes of Localized Cache");
    }
    // Each step lends one block at most; a step that could not take room out of input ends it.
    long lastShortage = Long.MAX_VALUE;
    while (true) {
      long shortage;
      synchronized (this) {
        shortage = step(bytes);
        if (shortage == GRANTED) {
          return true;
        }
        if (shortage == REFUSED || shortage >= lastShortage) {
          refused++;
          return false;
        }
      }
      lastShortage = shortage == LENT ? Long.MAX_VALUE : shortage;
      if (shortage != LENT) {
        spaceMaker.makeRoom(shortage);
      }
    }
  }

  private static final long GRANTED = -1;
  private static final long REFUSED = -2;
  private static final long LENT = -3;

  /** One step towards a grant; a positive answer is how much input stands in the way. */
  @GuardedBy("this")
  private long step(long bytes) {
    if (localizedUsed + bytes <= localizedCapacity()) {
      localizedUsed += bytes;
      localizedPeak = Math.max(localizedPeak, localizedUsed);
      return GRANTED;
    }
    long reachable = shares.localizedBytes() + shares.poolBlocks() * shares.blockBytes();
    if (lent >= shares.poolBlocks() || localizedUsed + bytes > reachable) {
      return REFUSED;
    }
    long inTheWay = inputUsed.getAsLong() - (inputCapacity() - shares.blockBytes());
    if (inTheWay > 0) {
      return inTheWay;
    }
    lent++;
    return LENT;
  }

  /** Gives granted room back. */
  public synchronized void release(long bytes) {
    if (bytes < 0 || bytes > localizedUsed) {
      throw new IllegalArgumentException(
          bytes + " bytes of Localized Cache were given back, lent are " + localizedUsed);
    }
    localizedUsed -= bytes;
    reclaim();
  }

  @GuardedBy("this")
  private void reclaim() {
    if (lent > 0 && localizedUsed < guard * localizedCapacity()) {
      long beyond = Math.max(0, localizedUsed - shares.localizedBytes());
      lent = (int) Math.min(lent, -Math.floorDiv(-beyond, shares.blockBytes()));
    }
  }

  /**
   * The space has changed, as when an SSD directory failed. Grants stand; the Localized Cache may
   * be over-full until they are given back.
   */
  public synchronized void reshape(SpaceShares now) {
    shares = now;
    lent = Math.min(lent, now.poolBlocks());
    reclaim();
  }

  /** Bytes input may use now: its own part and the pool blocks that are not lent. */
  public synchronized long inputCapacity() {
    return shares.inputBytes() + (shares.poolBlocks() - lent) * shares.blockBytes();
  }

  /** Bytes localized data may use without another pool block. */
  public synchronized long localizedCapacity() {
    return shares.localizedBytes() + lent * shares.blockBytes();
  }

  /** What the slave tells the master of its space. */
  public synchronized SpaceReport report() {
    return new SpaceReport(
        shares, lent, inputUsed.getAsLong(), localizedUsed, localizedPeak, refused);
  }
}
