// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.mammoth.engine.io.IoCharge;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.Lease;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;

/**
 * Charges the heap that waits in the I/O scheduler to the node's ledger. Queues are bounded by the
 * scheduler itself, so nothing is refused here: what does not fit the ledger's part for I/O is
 * counted beside it. Any thread.
 */
public final class IoLeases implements IoCharge {

  private final Lease lease;
  private final AtomicLong beside = new AtomicLong();

  IoLeases(Ledger ledger) {
    lease = ledger.open(new LeaseOwner("engine", "", "disks"), BufferKind.IO);
  }

  @Override
  public synchronized void changed(String owner, Memory memory, long bytes) {
    if (memory != Memory.HEAP) {
      return;
    }
    if (bytes > 0) {
      if (!lease.tryAcquire(bytes)) {
        beside.addAndGet(bytes);
      }
      return;
    }
    long fromBeside = Math.min(beside.get(), -bytes);
    beside.addAndGet(-fromBeside);
    if (-bytes > fromBeside) {
      lease.release(-bytes - fromBeside);
    }
  }

  /** Bytes that the ledger had no room for, at this moment. */
  long beside() {
    return beside.get();
  }
}
