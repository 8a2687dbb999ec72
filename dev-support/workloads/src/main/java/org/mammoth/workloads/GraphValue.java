// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/**
 * What travels under a vertex's number in {@link PageRank}: the vertex itself (its rank and whom it
 * points to) or a share of rank that another vertex sends it.
 *
 * <p>Ranks are fixed-point, {@link #ONE} being the mean rank. Sums of whole numbers do not depend
 * on their order, so the output has the same bytes whatever order the shuffle brings the shares in.
 */
public final class GraphValue implements Writable {
  /** The mean rank, 1.0: 36 bits after the point, which leaves room for 2^26 vertices. */
  public static final long ONE = 1L << 36;

  private static final long[] NOBODY = new long[0];
  private static final int SHARE = -1;

  private boolean vertex;
  private long rank;
  private long[] neighbours = NOBODY;
  private int degree;

  /** Makes this a share of rank, in units of 1 / {@link #ONE}. */
  public void setShare(long amount) {
    vertex = false;
    rank = amount;
    degree = 0;
  }

  /** Makes this a vertex. The array is kept, not copied; the first {@code count} entries count. */
  public void setVertex(long newRank, long[] targets, int count) {
    vertex = true;
    rank = newRank;
    neighbours = targets;
    degree = count;
  }

  public boolean isVertex() {
    return vertex;
  }

  /** The vertex's rank, or the amount of the share. */
  public long rank() {
    return rank;
  }

  /** Number of outgoing edges; parallel edges count each. */
  public int degree() {
    return degree;
  }

  /** Target of an outgoing edge. */
  public long neighbour(int index) {
    return neighbours[index];
  }

  @Override
  public void write(DataOutput out) throws IOException {
    WritableUtils.writeVInt(out, vertex ? degree : SHARE);
    WritableUtils.writeVLong(out, rank);
    for (int i = 0; i < degree; i++) {
      WritableUtils.writeVLong(out, neighbours[i]);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    int count = WritableUtils.readVInt(in);
    vertex = count != SHARE;
    degree = Math.max(0, count);
    rank = WritableUtils.readVLong(in);
    if (neighbours.length < degree) {
      neighbours = new long[degree * 2];
    }
    for (int i = 0; i < degree; i++) {
      neighbours[i] = WritableUtils.readVLong(in);
    }
  }
}
