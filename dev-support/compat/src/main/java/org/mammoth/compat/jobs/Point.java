// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

/** A plain value that is not a Writable; {@link PointSerialization} moves it. */
public record Point(int x, int y) implements Comparable<Point> {
  @Override
  public int compareTo(Point other) {
    int order = Integer.compare(x, other.x);
    return order != 0 ? order : Integer.compare(y, other.y);
  }
}
