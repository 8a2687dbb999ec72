// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.heap;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.LongSupplier;

/**
 * Divides the time that the engine's garbage collectors take among the containers that run while it
 * passes, in equal parts, so that the parts of all add up to what passed while any ran.
 *
 * <p>Thread-safe.
 */
public final class CollectionShares {

  private final LongSupplier collectionMs;

  @GuardedBy("this")
  private double each;

  @GuardedBy("this")
  private long divided;

  @GuardedBy("this")
  private int running;

  /**
   * Nobody runs yet.
   *
   * @param collectionMs milliseconds all collectors have taken since any moment
   */
  public CollectionShares(LongSupplier collectionMs) {
    this.collectionMs = collectionMs;
  }

  public synchronized void began() {
    divide();
    running++;
  }

  public synchronized void ended() {
    divide();
    running--;
  }

  /**
   * The part, in ms, of a container that has run since the first one began; the part of one that
   * began later is the difference to what was here then.
   */
  public synchronized double each() {
    divide();
    return each;
  }

  @GuardedBy("this")
  private void divide() {
    long now = collectionMs.getAsLong();
    if (running > 0) {
      each += (now - divided) / (double) running;
    }
    divided = now;
  }
}
