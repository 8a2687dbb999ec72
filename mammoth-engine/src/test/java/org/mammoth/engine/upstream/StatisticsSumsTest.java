// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.ToLongFunction;
import org.apache.hadoop.fs.FileSystem.Statistics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatisticsSumsTest {

  /** Asks for sums as upstream's readers and writers of records do. */
  public static final class Tracker implements ToLongFunction<Statistics> {
    @Override
    public long applyAsLong(Statistics statistics) {
      return statistics.getBytesRead() + 1000 * statistics.getBytesWritten();
    }
  }

  private static final class TrackerLoader extends ClassLoader {
    TrackerLoader() {
      super(StatisticsSumsTest.class.getClassLoader());
    }

    Class<?> define(byte[] code) {
      return defineClass(Tracker.class.getName(), code, 0, code.length);
    }
  }

  private final Statistics statistics = new Statistics("test");

  @BeforeEach
  void attach() {
    assertThat(StatisticsSums.attach(statistics)).isTrue();
  }

  @Test
  void areOfAllThreadsThoseThatHaveEndedToo() throws InterruptedException {
    statistics.incrementBytesRead(3);
    statistics.incrementBytesWritten(20);
    Thread other =
        new Thread(
            () -> {
              statistics.incrementBytesRead(4);
              statistics.incrementBytesWritten(50);
            });
    other.start();
    other.join();
    assertThat(StatisticsSums.getBytesRead(statistics)).isEqualTo(7);
    other = null;
    // Upstream forgets a thread's counts when the collector has the thread.
    int[] threads = new int[1];
    await()
        .until(
            () -> {
              System.gc();
              threads[0] = threadsOf(statistics);
              return threads[0] == 1;
            });
    assertThat(StatisticsSums.getBytesRead(statistics)).isEqualTo(7);
    assertThat(StatisticsSums.getBytesWritten(statistics)).isEqualTo(70);
    assertThat(statistics.getBytesRead()).as("upstream's").isEqualTo(7);
    assertThat(statistics.getBytesWritten()).as("upstream's").isEqualTo(70);
  }

  private static int threadsOf(Statistics statistics) throws ReflectiveOperationException {
    var field = Statistics.class.getDeclaredField("allData");
    field.setAccessible(true);
    synchronized (statistics) {
      return ((ThreadCounts) field.get(statistics)).size();
    }
  }

  @Test
  void ofUsedStatisticsAreUpstreams() {
    Statistics used = new Statistics("test");
    used.incrementBytesRead(9);
    assertThat(StatisticsSums.attach(used)).isFalse();
    used.incrementBytesRead(1);
    assertThat(StatisticsSums.getBytesRead(used)).isEqualTo(10);
  }

  @Test
  void areWhatARewrittenClassGets() throws Exception {
    statistics.incrementBytesRead(6);
    statistics.incrementBytesWritten(2);
    ToLongFunction<Statistics> rewritten = rewrittenTracker();
    assertThat(rewritten.applyAsLong(statistics)).isEqualTo(2006);
    // Here the two differ, which tells whose sums it has.
    statistics.reset();
    assertThat(new Tracker().applyAsLong(statistics)).isZero();
    assertThat(rewritten.applyAsLong(statistics)).isEqualTo(2006);
    statistics.incrementBytesRead(1);
    assertThat(rewritten.applyAsLong(statistics)).isEqualTo(2007);
  }

  @SuppressWarnings("unchecked")
  private static ToLongFunction<Statistics> rewrittenTracker()
      throws IOException, ReflectiveOperationException {
    try (InputStream in = Tracker.class.getResourceAsStream("StatisticsSumsTest$Tracker.class")) {
      byte[] code = StatisticsSums.rewrite(in.readAllBytes());
      return (ToLongFunction<Statistics>)
          new TrackerLoader().define(code).getConstructor().newInstance();
    }
  }
}
