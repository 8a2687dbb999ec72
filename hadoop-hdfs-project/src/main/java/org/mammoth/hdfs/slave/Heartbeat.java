// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.mammoth.mpcache.slave.CacheMaster;
import org.mammoth.mpcache.slave.MasterReply;
import org.mammoth.mpcache.slave.SlaveReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the active NameNode's master what was read and does what it says. A NameNode on standby
 * declines, and the next one is asked; which is active is remembered until it declines or is
 * silent.
 *
 * <p>A master books what it orders. So where an answer is lost, and where the two kinds of answers
 * may have been carried out in another order than they were given in, the next report holds the
 * inventory.
 *
 * <p>{@link #beat} is for one thread; {@link #makeRoom} for any.
 */
final class Heartbeat {

  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

  private final String slave;
  private final CacheMaster cache;
  private final List<Master> masters;

  /** How often somebody began to ask for room, and was done with it. */
  private final AtomicLong roomsBegun = new AtomicLong();

  private final AtomicLong roomsEnded = new AtomicLong();
  private volatile int active;
  private boolean silent;

  /**
   * @param masters of one nameservice; none means that nothing is ever cached
   */
  Heartbeat(String slave, CacheMaster cache, List<? extends Master> masters) {
    this.slave = slave;
    this.cache = cache;
    this.masters = List.copyOf(masters);
  }

  /** Reports once. */
  void beat() {
    long rooms = roomsEnded.get();
    SlaveReport report = cache.report();
    long epoch = cache.epoch();
    List<IOException> failures = new ArrayList<>();
    for (int i = 0; i < masters.size(); i++) {
      int asked = (active + i) % masters.size();
      try {
        MasterReply reply = masters.get(asked).report(epoch, report);
        active = asked;
        silent = false;
        cache.obey(reply);
        if (roomsBegun.get() != rooms) {
          // The master may have ordered something between what it was told and what it answered.
          cache.sendInventory();
        }
        return;
      } catch (IOException e) {
        failures.add(e);
      }
    }
    cache.undelivered(report);
    if (!silent) {
      silent = true;
      LOG.info("No master of the SSD cache answers {}: {}", slave, failures);
    }
  }

  /** Asks the master what may leave so that so many bytes become free; false if none answers. */
  boolean makeRoom(long bytes) {
    if (masters.isEmpty()) {
      return false;
    }
    roomsBegun.incrementAndGet();
    try {
      return cache.obey(masters.get(active).makeRoom(slave, bytes));
    } catch (IOException e) {
      LOG.debug("No master was there to make room", e);
      cache.sendInventory();
      return false;
    } finally {
      roomsEnded.incrementAndGet();
    }
  }

  void close() {
    masters.forEach(Master::close);
  }
}
