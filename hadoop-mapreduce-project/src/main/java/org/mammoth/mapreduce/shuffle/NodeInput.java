// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import org.mammoth.engine.send.SegmentStream;
import org.mammoth.engine.sort.merge.SegmentInput;
import org.mammoth.mapreduce.sort.SegmentFormat;

/** Output of a map of this node: still in its engine's memory, or in its file. */
final class NodeInput implements ReduceInput {

  private final String name;
  private final SegmentStream stream;
  private final long rawLength;
  private final long partLength;
  private final SegmentFormat format;

  NodeInput(
      String name, SegmentStream stream, long rawLength, long partLength, SegmentFormat format) {
    this.name = name;
    this.stream = stream;
    this.rawLength = rawLength;
    this.partLength = partLength;
    this.format = format;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long rawLength() {
    return rawLength;
  }

  @Override
  public CameFrom cameFrom() {
    return new CameFrom(stream.memoryBytes(), stream.fileBytes(), 0);
  }

  @Override
  public SegmentInput open() throws IOException {
    return format.decode(stream, partLength);
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
