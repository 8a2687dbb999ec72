// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.lang.reflect.Method;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem.Statistics.StatisticsData;

/**
 * The counts of each thread that uses one {@code FileSystem.Statistics}: the set of references that
 * upstream keeps, and beside it the counts themselves, those of ended threads too.
 *
 * <p>As a set it is used under the statistics' lock, as upstream's is; the sums may be asked for by
 * any thread at any time.
 */
final class ThreadCounts extends AbstractSet<Object> {

  private final Set<Object> references = new HashSet<>();
  private final Method countsOf;

  /** Never changed, only replaced by a longer one. */
  private volatile StatisticsData[] ever = {};

  /**
   * No thread has counted yet.
   *
   * @param countsOf method of a reference that gives its {@link StatisticsData}
   */
  ThreadCounts(Method countsOf) {
    this.countsOf = countsOf;
  }

  /** What all threads have read since the first one began, bytes. */
  long bytesRead() {
    long sum = 0;
    for (StatisticsData counts : ever) {
      sum += counts.getBytesRead();
    }
    return sum;
  }

  /** What all threads have written since the first one began, bytes. */
  long bytesWritten() {
    long sum = 0;
    for (StatisticsData counts : ever) {
      sum += counts.getBytesWritten();
    }
    return sum;
  }

  @Override
  public boolean add(Object reference) {
    if (!references.add(reference)) {
      return false;
    }
    StatisticsData[] more = Arrays.copyOf(ever, ever.length + 1);
    try {
      more[ever.length] = (StatisticsData) countsOf.invoke(reference);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("statistics of an unknown kind: " + reference, e);
    }
    ever = more;
    return true;
  }

  @Override
  public boolean remove(Object reference) {
    return references.remove(reference);
  }

  @Override
  public Iterator<Object> iterator() {
    return references.iterator();
  }

  @Override
  public int size() {
    return references.size();
  }
}
