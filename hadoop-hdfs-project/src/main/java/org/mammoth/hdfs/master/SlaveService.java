// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.hdfs.rpc.SlaveProtocol;
import org.mammoth.hdfs.rpc.WireReply;
import org.mammoth.hdfs.rpc.WireReport;
import org.mammoth.mpcache.master.BlockResolver;
import org.mammoth.mpcache.master.MasterState;
import org.mammoth.mpcache.slave.AccessEvent;
import org.mammoth.mpcache.slave.SlaveReport;

/** {@link SlaveProtocol} over the active master. Safe for any thread. */
final class SlaveService implements SlaveProtocol {

  private final ActiveMaster master;
  private final NamespaceBlocks blocks;
  private final Callers callers;

  SlaveService(ActiveMaster master, NamespaceBlocks blocks, Callers callers) {
    this.master = master;
    this.blocks = blocks;
    this.callers = callers;
  }

  @Override
  public WireReply report(WireReport wire) throws IOException {
    callers.checkSlave();
    MasterState state = master.state(wire.seenEpoch());
    SlaveReport report = wire.report();
    List<AccessEvent> wanted = new ArrayList<>(report.accesses());
    state.toWarm(report.slave()).forEach(key -> wanted.add(new AccessEvent(key, "", false)));
    if (report.inventory() != null) {
      report.inventory().forEach(key -> wanted.add(new AccessEvent(key, "", true)));
    }
    BlockResolver resolver = blocks.lookUp(wanted);
    WireReply reply = new WireReply(state.report(report, resolver));
    master.heard(report.slave(), state);
    return reply;
  }

  @Override
  public WireReply makeRoom(String slave, long bytes) throws IOException {
    callers.checkSlave();
    return new WireReply(master.state().makeRoom(slave, bytes));
  }
}
