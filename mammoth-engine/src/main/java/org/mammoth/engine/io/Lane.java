// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.mammoth.api.status.DiskUse;

/** What one class and direction of a disk has moved. Safe for any thread. */
final class Lane {

  private final IoClass ioClass;
  private final IoDirection direction;
  private final Rate rate = new Rate();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();

  Lane(IoClass ioClass, IoDirection direction) {
    this.ioClass = ioClass;
    this.direction = direction;
  }

  void moved(long count, long now) {
    bytes.addAndGet(count);
    rate.add(count, now);
  }

  void failed() {
    errors.incrementAndGet();
  }

  DiskUse.Lane snapshot(Collection<FileQueue> files, long now) {
    int open = 0;
    int depth = 0;
    long held = 0;
    long age = 0;
    for (FileQueue file : files) {
      if (file.ioClass == ioClass && file.direction == direction) {
        open++;
        depth += file.depth();
        held += file.heldBytes();
        long oldest = file.oldest();
        age = Math.max(age, oldest == FileQueue.NEVER ? 0 : now - oldest);
      }
    }
    return new DiskUse.Lane(
        ioClass.name(),
        direction.name(),
        open,
        depth,
        held,
        TimeUnit.NANOSECONDS.toMillis(age),
        bytes.get(),
        rate.get(now),
        errors.get());
  }
}
