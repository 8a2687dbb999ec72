// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.mammoth.mapreduce.protocol.EndKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ends that an engine puts to a program, against whatever its threads say; and the point from
 * which it puts none to have it run again, as no other attempt would do the program's work. The two
 * exclude each other: a program that is being ended does not come to that point. Thread-safe.
 */
public final class ForcedEnd {

  private static final Logger LOG = LoggerFactory.getLogger(ForcedEnd.class);

  private final Object whose;
  private final ContainerLife life;

  /** Ended by the engine, which does not wait for what its threads still want to do. */
  private volatile boolean cutShort;

  /** It is over, or about to be. */
  @GuardedBy("this")
  private boolean doomed;

  /** It is past the point of no return. */
  private volatile boolean last;

  /**
   * @param whose says in logs whose end it is
   */
  ForcedEnd(Object whose, ContainerLife life) {
    this.whose = whose;
    this.life = life;
  }

  /** Decides how it ends; false if that is known. */
  synchronized boolean condemn(EndKind kind, int code, String why) {
    if (life.isEnding()) {
      return false;
    }
    doomed = true;
    cutShort = true;
    life.end(kind, code, why);
    LOG.info("{} is ended by the engine with {}", whose, code);
    return true;
  }

  /** Ends it to be run again, for others' sake; not one past the point of no return. */
  synchronized boolean giveWay(String why) {
    return !last && condemn(EndKind.ABORTED, ContainerExitStatus.ABORTED, why);
  }

  /**
   * It is about to ask for an end after which it is run again.
   *
   * @return false if it is past the point of no return, and must go on
   */
  synchronized boolean mayRunAgain() {
    doomed |= !last;
    return !last;
  }

  /**
   * It is about to do what no other attempt would do again.
   *
   * @return false if the engine is ending it, and it must not
   */
  synchronized boolean passPointOfNoReturn() {
    last |= !doomed;
    return last;
  }

  /** Whether no other attempt would do its work. */
  boolean isLast() {
    return last;
  }

  /** Whether the engine has ended it. */
  boolean isCutShort() {
    return cutShort;
  }
}
