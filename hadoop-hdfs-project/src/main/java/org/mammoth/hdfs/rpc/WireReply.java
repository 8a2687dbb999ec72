// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.rpc;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.mammoth.mpcache.slave.MasterReply;
import org.mammoth.mpcache.slave.MasterReply.Evict;
import org.mammoth.mpcache.slave.MasterReply.Fill;
import org.mammoth.mpcache.slave.MasterReply.Order;

/** A master's answer as it is sent. */
public final class WireReply implements Writable {

  private MasterReply reply;

  /** For deserialization. */
  public WireReply() {}

  public WireReply(MasterReply reply) {
    this.reply = reply;
  }

  public MasterReply reply() {
    return reply;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(reply.epoch());
    out.writeBoolean(reply.sendInventory());
    out.writeInt(reply.orders().size());
    for (Order order : reply.orders()) {
      out.writeBoolean(order instanceof Fill);
      if (order instanceof Fill fill) {
        WireReport.writeKey(out, fill.key());
      } else if (order instanceof Evict evict) {
        Text.writeString(out, evict.pool());
        out.writeLong(evict.blockId());
      }
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    long epoch = in.readLong();
    boolean sendInventory = in.readBoolean();
    List<Order> orders = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      orders.add(
          in.readBoolean()
              ? new Fill(WireReport.readKey(in))
              : new Evict(Text.readString(in), in.readLong()));
    }
    reply = new MasterReply(epoch, orders, sendInventory);
  }
}
