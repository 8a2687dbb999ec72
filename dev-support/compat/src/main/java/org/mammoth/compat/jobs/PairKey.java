// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparable;

/** A word and a number, compared as objects only. */
public final class PairKey implements WritableComparable<PairKey> {
  private String first = "";
  private int second;

  /** For Hadoop's reflection. */
  public PairKey() {}

  PairKey(String first, int second) {
    this.first = first;
    this.second = second;
  }

  String first() {
    return first;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    Text.writeString(out, first);
    out.writeInt(second);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    first = Text.readString(in);
    second = in.readInt();
  }

  @Override
  public int compareTo(PairKey other) {
    int order = first.compareTo(other.first);
    return order != 0 ? order : Integer.compare(second, other.second);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PairKey pair && compareTo(pair) == 0;
  }

  @Override
  public int hashCode() {
    return first.hashCode() * 31 + second;
  }

  @Override
  public String toString() {
    return first + "/" + second;
  }
}
