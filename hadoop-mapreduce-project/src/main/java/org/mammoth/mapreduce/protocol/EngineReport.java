// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/** What an engine answers to a poll: ends not yet acknowledged, and its state. */
public final class EngineReport implements Writable {

  private List<ContainerExit> exits = List.of();
  private List<String> running = List.of();
  private String drainReason = "";
  private String statusJson = "{}";

  /** For deserialization. */
  public EngineReport() {}

  public EngineReport(
      List<ContainerExit> exits, List<String> running, String drainReason, String statusJson) {
    this.exits = List.copyOf(exits);
    this.running = List.copyOf(running);
    this.drainReason = drainReason;
    this.statusJson = statusJson;
  }

  public List<ContainerExit> exits() {
    return exits;
  }

  /** Containers whose program has not ended. */
  public List<String> running() {
    return running;
  }

  /** Why the engine takes no more containers, empty while it does. */
  public String drainReason() {
    return drainReason;
  }

  /** An {@code EngineStatus} as JSON. */
  public String statusJson() {
    return statusJson;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(exits.size());
    for (ContainerExit exit : exits) {
      Text.writeString(out, exit.containerId());
      out.writeInt(exit.exitCode());
      Text.writeString(out, exit.diagnostics());
    }
    out.writeInt(running.size());
    for (String container : running) {
      Text.writeString(out, container);
    }
    Text.writeString(out, drainReason);
    Text.writeString(out, statusJson);
    // Behind what an earlier release reads.
    for (ContainerExit exit : exits) {
      out.writeByte(exit.kind().ordinal());
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    List<ContainerExit> ended = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      ended.add(new ContainerExit(Text.readString(in), in.readInt(), Text.readString(in)));
    }
    List<String> alive = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      alive.add(Text.readString(in));
    }
    running = Collections.unmodifiableList(alive);
    drainReason = Text.readString(in);
    statusJson = Text.readString(in);
    exits = Collections.unmodifiableList(withKinds(in, ended));
  }

  private static List<ContainerExit> withKinds(DataInput in, List<ContainerExit> ended)
      throws IOException {
    List<ContainerExit> complete = new ArrayList<>();
    try {
      for (ContainerExit exit : ended) {
        complete.add(
            new ContainerExit(
                exit.containerId(),
                EndKind.of(in.readByte()),
                exit.exitCode(),
                exit.diagnostics()));
      }
      return complete;
    } catch (EOFException e) {
      // An engine of an earlier release, which outlived its NodeManager, tells no kinds.
      return ended;
    }
  }
}
