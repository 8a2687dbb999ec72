// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import org.mammoth.engine.levitated.LevitatedSegment;
import org.mammoth.engine.levitated.SourceLostException;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * Outputs of one node that its engine merges, as one input of a reduce. When the stream breaks for
 * good, the outputs are merged here instead, from the byte on that is wanted next: the bytes are
 * the same, whoever merges. The reduce's thread.
 */
final class NodeStream implements SegmentInput {

  /** How a stream goes on without its node's engine. */
  interface Substitute {

    /** The same bytes, from {@code position} on. */
    SegmentInput from(long position, SourceLostException why) throws IOException;
  }

  private final LevitatedSegment stream;
  private final long length;
  private final Substitute substitute;
  private final Runnable read;
  private SegmentInput instead;
  private long position;

  /**
   * A stream of which nothing is read.
   *
   * @param length bytes of it
   * @param read told when all of it has been read, or the stream is not wanted any more
   */
  NodeStream(LevitatedSegment stream, long length, Substitute substitute, Runnable read) {
    this.stream = stream;
    this.length = length;
    this.substitute = substitute;
    this.read = read;
  }

  @Override
  public int read(byte[] into, int offset, int count) throws IOException {
    if (instead == null) {
      try {
        return readStream(into, offset, count);
      } catch (SourceLostException e) {
        stream.close();
        instead = substitute.from(position, e);
      }
    }
    return instead.read(into, offset, count);
  }

  private int readStream(byte[] into, int offset, int count) throws IOException {
    int got = stream.read(into, offset, count);
    if (got > 0) {
      position += got;
      if (position == length) {
        read.run();
      }
    }
    return got;
  }

  /** Bytes that the node's engine has merged for it. */
  long mergedBytes() {
    return position;
  }

  /** Whether the node's engine does not merge it any more. */
  boolean isLost() {
    return instead != null;
  }

  @Override
  public void close() throws IOException {
    stream.close();
    read.run();
    if (instead != null) {
      instead.close();
    }
  }
}
