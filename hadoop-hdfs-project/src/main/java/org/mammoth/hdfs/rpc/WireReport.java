// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.rpc;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.mammoth.mpcache.slave.AccessEvent;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.SlaveReport;
import org.mammoth.mpcache.space.SpaceReport;
import org.mammoth.mpcache.space.SpaceShares;

/** A slave's report as it is sent. */
public final class WireReport implements Writable {

  private long seenEpoch;
  private SlaveReport report;

  /** For deserialization. */
  public WireReport() {}

  public WireReport(long seenEpoch, SlaveReport report) {
    this.seenEpoch = seenEpoch;
    this.report = report;
  }

  /** Epoch of the youngest master the slave has heard of. */
  public long seenEpoch() {
    return seenEpoch;
  }

  public SlaveReport report() {
    return report;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(seenEpoch);
    Text.writeString(out, report.slave());
    out.writeLong(report.incarnation());
    SpaceReport space = report.space();
    out.writeLong(space.shares().inputBytes());
    out.writeInt(space.shares().poolBlocks());
    out.writeLong(space.shares().localizedBytes());
    out.writeLong(space.shares().blockBytes());
    out.writeInt(space.lentBlocks());
    out.writeLong(space.inputUsed());
    out.writeLong(space.localizedUsed());
    out.writeLong(space.localizedPeak());
    out.writeLong(space.refused());
    out.writeInt(report.accesses().size());
    for (AccessEvent access : report.accesses()) {
      writeKey(out, access.key());
      Text.writeString(out, access.reader());
      out.writeBoolean(access.hit());
    }
    writeKeys(out, report.gone());
    out.writeBoolean(report.inventory() != null);
    if (report.inventory() != null) {
      writeKeys(out, report.inventory());
    }
    out.writeLong(report.droppedAccesses());
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    seenEpoch = in.readLong();
    String slave = Text.readString(in);
    long incarnation = in.readLong();
    SpaceShares shares = new SpaceShares(in.readLong(), in.readInt(), in.readLong(), in.readLong());
    SpaceReport space =
        new SpaceReport(
            shares, in.readInt(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
    List<AccessEvent> accesses = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      accesses.add(new AccessEvent(readKey(in), Text.readString(in), in.readBoolean()));
    }
    List<BlockKey> gone = readKeys(in);
    List<BlockKey> inventory = in.readBoolean() ? readKeys(in) : null;
    report = new SlaveReport(slave, incarnation, space, accesses, gone, inventory, in.readLong());
  }

  static void writeKey(DataOutput out, BlockKey key) throws IOException {
    Text.writeString(out, key.pool());
    out.writeLong(key.blockId());
    out.writeLong(key.generationStamp());
    out.writeLong(key.length());
  }

  static BlockKey readKey(DataInput in) throws IOException {
    return new BlockKey(Text.readString(in), in.readLong(), in.readLong(), in.readLong());
  }

  private static void writeKeys(DataOutput out, List<BlockKey> keys) throws IOException {
    out.writeInt(keys.size());
    for (BlockKey key : keys) {
      writeKey(out, key);
    }
  }

  private static List<BlockKey> readKeys(DataInput in) throws IOException {
    List<BlockKey> keys = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      keys.add(readKey(in));
    }
    return keys;
  }
}
