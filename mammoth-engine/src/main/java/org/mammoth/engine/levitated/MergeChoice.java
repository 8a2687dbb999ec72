// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import java.util.function.LongSupplier;
import org.mammoth.engine.config.MergeMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a reduce leaves map output at its nodes until it is merged. With {@code auto} that is
 * chosen by predicted bytes: what fits the memory that a reduce can have is best there before the
 * merge begins; if it will not fit, what comes first takes the place of map output of this node,
 * which goes to disks and comes back. Once it leaves, it goes on to leave. One thread; whether it
 * leaves may be asked by any.
 */
public final class MergeChoice {

  private static final Logger LOG = LoggerFactory.getLogger(MergeChoice.class);
  private static final long MIB = 1L << 20;

  private final MergeMode mode;
  private final int maps;
  private final LongSupplier room;
  private long bytes;
  private int segments;
  private volatile boolean leaves;

  /**
   * @param mode as chosen for the job
   * @param maps of the job
   * @param room bytes of memory that the reduce may come to have; asked while it is not known to be
   *     too small
   */
  public MergeChoice(MergeMode mode, int maps, LongSupplier room) {
    this.mode = mode;
    this.maps = maps;
    this.room = room;
    this.leaves = mode.levitatesAll();
  }

  /** Of a reduce for which nothing can stay at its node. */
  public static MergeChoice nothingStays() {
    return new MergeChoice(MergeMode.PUSH, 0, () -> 0);
  }

  /** One more of the reduce's segments is known, of this node or of another one. */
  public void sized(long partBytes) {
    bytes += partBytes;
    segments++;
    if (leaves || mode != MergeMode.AUTO) {
      return;
    }
    long most = room.getAsLong();
    if (predicted() > most) {
      leaves = true;
      LOG.info(
          "What is to come stays at its nodes until it is merged: {}, {} MiB of memory for them",
          this,
          most / MIB);
    }
  }

  /** Whether all that is to come of other nodes is left there. */
  public boolean leavesAll() {
    return leaves;
  }

  /** Bytes of all segments if those not known are as large as the others. */
  private double predicted() {
    return segments == 0 ? 0 : (double) bytes / segments * maps;
  }

  @Override
  public String toString() {
    return String.format(
        "%.0f MiB predicted from %d of %d segments", predicted() / MIB, segments, maps);
  }
}
