// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import org.mammoth.engine.levitated.Block;
import org.mammoth.engine.levitated.LevitatedSegment;
import org.mammoth.engine.levitated.RangeReader;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * One map attempt's segment that stays at its source: here is its header, that is its first block,
 * or all of it if it is small. One thread at a time.
 */
final class LevitatedOutput implements ReduceInput {

  private final LevitatedSource source;
  private final Levitation levitation;
  private Block header;
  private final int here;
  private InputStream whole;
  private LevitatedSegment segment;

  /**
   * A segment of which the header has come.
   *
   * @param header its first {@code here} bytes; null if none of them are here, or all are
   * @param whole all of it, or null
   */
  LevitatedOutput(
      LevitatedSource source, Levitation levitation, Block header, int here, InputStream whole) {
    this.source = source;
    this.levitation = levitation;
    this.header = header;
    this.here = here;
    this.whole = whole;
  }

  @Override
  public String name() {
    return source.attempt();
  }

  @Override
  public long rawLength() {
    return source.info().rawLength() - levitation.format().padding();
  }

  /** Bytes of its records and their checksum, as upstream counts what is shuffled. */
  long shuffledBytes() {
    return source.info().partLength() - levitation.format().padding();
  }

  @Override
  public CameFrom cameFrom() {
    return CameFrom.network(source.info().partLength());
  }

  /** Whether none of its bytes are here, and there are some. */
  boolean staysAway() {
    return header == null && whole == null && partLength() > 0;
  }

  /** What {@link #reader} calls it. */
  int number() {
    return source.number();
  }

  /** Brings its bytes. */
  RangeReader reader() {
    return levitation;
  }

  Levitation levitation() {
    return levitation;
  }

  RemoteNode node() {
    return source.node();
  }

  /** Which engine has it. */
  InetSocketAddress engine() {
    return source.engine();
  }

  /** What its source calls this very content. */
  long identity() {
    return source.info().identity();
  }

  /** Its bytes are lost, or not what its map wrote. */
  void broken(Throwable failure) {
    levitation.broken(
        source, failure instanceof Exception known ? known : new IOException(failure));
  }

  /** Bytes as they are stored at the source. */
  long partLength() {
    return source.info().partLength();
  }

  @Override
  public SegmentInput open() throws IOException {
    long length = source.info().partLength();
    if (length == 0) {
      return levitation.format().decodeDecrypted(new ByteArrayInputStream(new byte[0]), 0);
    }
    if (whole == null) {
      segment = levitation.segment(source, header, here);
      header = null;
      whole = segment;
    }
    return new Watched(levitation.format().decode(whole, length));
  }

  /** Knows whose bytes were lost or wrong, so that the map behind them can be run again. */
  private final class Watched implements SegmentInput {
    private final SegmentInput input;

    Watched(SegmentInput input) {
      this.input = input;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        return input.read(into, offset, length);
      } catch (IOException | RuntimeException e) {
        levitation.broken(source, e);
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      input.close();
      LevitatedOutput.this.close();
    }
  }

  @Override
  public void close() throws IOException {
    if (header != null) {
      header.free();
      header = null;
    }
    if (whole != null) {
      whole.close();
    }
  }
}
