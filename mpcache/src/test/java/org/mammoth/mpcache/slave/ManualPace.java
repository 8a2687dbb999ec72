// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

/** Time goes on only when somebody waits, or when the test says so. */
final class ManualPace implements Pace {

  private long now;

  @Override
  public synchronized long nanoTime() {
    return now;
  }

  @Override
  public synchronized void pause(long nanos) {
    now += nanos;
  }
}
