// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem.Statistics;
import org.mammoth.engine.isolation.rewrite.CallRewriter;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * Sums of file-system statistics without upstream's lock and objects. MapReduce asks for them twice
 * per record that it reads and twice per record that it writes, and uses the difference.
 *
 * <p>Upstream adds the counts of a thread that has ended to common ones. Here they stay where they
 * are, so that no sum misses or doubles them and no lock is needed. {@code
 * FileSystem.clearStatistics} does not show here; it does not change differences.
 */
public final class StatisticsSums {

  private static final String THREADS = "allData";

  /** Where a Statistics keeps its threads' counts; null if this Hadoop has it otherwise. */
  private static final VarHandle PARTS = parts();

  private StatisticsSums() {}

  private static VarHandle parts() {
    try {
      return MethodHandles.privateLookupIn(Statistics.class, MethodHandles.lookup())
          .findVarHandle(Statistics.class, THREADS, Set.class);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /**
   * Keeps the sums of statistics that nobody has used yet.
   *
   * @return false if they stay as they were
   */
  public static boolean attach(Statistics unused) {
    try {
      Field threads = Statistics.class.getDeclaredField(THREADS);
      threads.setAccessible(true);
      if (!((Set<?>) threads.get(unused)).isEmpty()) {
        return false;
      }
      Method countsOf =
          Class.forName(Statistics.class.getName() + "$StatisticsDataReference")
              .getDeclaredMethod("getData");
      countsOf.setAccessible(true);
      threads.set(unused, new ThreadCounts(countsOf));
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** The class with its calls of the methods below replaced by these. */
  public static byte[] rewrite(byte[] original) {
    return CallRewriter.of(StatisticsSums.class).rewrite(original);
  }

  @Replaces(value = Statistics.class, receiver = true)
  public static long getBytesRead(Statistics statistics) {
    ThreadCounts counts = partsOf(statistics);
    return counts == null ? statistics.getBytesRead() : counts.bytesRead();
  }

  @Replaces(value = Statistics.class, receiver = true)
  public static long getBytesWritten(Statistics statistics) {
    ThreadCounts counts = partsOf(statistics);
    return counts == null ? statistics.getBytesWritten() : counts.bytesWritten();
  }

  private static ThreadCounts partsOf(Statistics statistics) {
    Object parts = PARTS == null ? null : (Set<?>) PARTS.get(statistics);
    return parts instanceof ThreadCounts ? (ThreadCounts) parts : null;
  }
}
