// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;
import org.mammoth.compat.diff.Differential;
import org.mammoth.compat.diff.Differential.Twice;
import org.mammoth.compat.diff.Differential.Verdict;
import org.mammoth.compat.diff.PartJars;
import org.mammoth.compat.diff.Side;

/**
 * Random jobs give the same bytes and the same counters on the engine as on stock Hadoop.
 *
 * <p>The stock side is LocalJobRunner, and for every tenth job ordinary containers of the same
 * cluster too, with which all counters are compared. {@code mammoth.compat.jobs}, {@code .seed} and
 * {@code .stock} (local, yarn) choose another run.
 */
@ExtendWith(SharedCluster.class)
class RandomJobsTest {
  private static final int JOBS = Integer.getInteger("mammoth.compat.jobs", 20);
  private static final long SEED = Long.getLong("mammoth.compat.seed", 20260101);
  private static final String STOCK = System.getProperty("mammoth.compat.stock", "local");
  private static final int AT_ONCE = Integer.getInteger("mammoth.compat.at.once", 4);

  private static final Path PROGRESS =
      Path.of(System.getProperty("hadoop.log.dir"), "random-jobs.txt");

  @Test
  void giveWhatStockGives(MiniCluster cluster) throws Exception {
    Path jars = cluster.home().resolve("jars").resolve("random");
    Differential differential = new Differential(cluster, new PartJars(jars));
    List<Future<Verdict>> running = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
    try {
      for (int i = 0; i < JOBS; i++) {
        long seed = SEED + i;
        List<Side> others = others(i);
        running.add(pool.submit(() -> differential.run(seed, others)));
      }
      report(running);
    } finally {
      pool.shutdownNow();
    }
  }

  /** The rules may leave a counter out only because stock itself does not count it the same way. */
  @Test
  @Tag("long")
  void stockDiffersFromItselfOnlyWhereTheRulesSay(MiniCluster cluster) throws Exception {
    Path jars = cluster.home().resolve("jars").resolve("twice");
    Differential differential = new Differential(cluster, new PartJars(jars));
    ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
    try {
      List<Future<Twice>> running = new ArrayList<>();
      for (int i = 0; i < JOBS; i++) {
        long seed = SEED + i;
        running.add(pool.submit(() -> differential.runStockTwice(seed)));
      }
      List<Twice> bad = new ArrayList<>();
      Map<String, Integer> unsteady = new TreeMap<>();
      int leftOut = 0;
      for (Future<Twice> future : running) {
        Twice twice = future.get();
        leftOut += twice.unsteady() ? 1 : 0;
        twice.leftOut().forEach(line -> unsteady.merge(line.split(":")[0], 1, Integer::sum));
        if (!twice.differences().isEmpty()) {
          bad.add(twice);
        }
      }
      tell(JOBS + " jobs twice on stock, counters left out for " + leftOut + ": " + unsteady);
      assertThat(bad).as("jobs that stock counts differently the second time").isEmpty();
    } finally {
      pool.shutdownNow();
    }
  }

  private static List<Side> others(int index) {
    if (STOCK.equals("yarn")) {
      return List.of(Side.CONTAINERS);
    }
    return index % 10 == 9 ? List.of(Side.LOCAL, Side.CONTAINERS) : List.of(Side.LOCAL);
  }

  private static void report(List<Future<Verdict>> running) throws Exception {
    List<Verdict> bad = new ArrayList<>();
    Map<String, Integer> covered = new TreeMap<>();
    int done = 0;
    for (Future<Verdict> future : running) {
      Verdict verdict = future.get();
      done++;
      tell((verdict.differences().isEmpty() ? "same    " : "DIFFERS ") + done + " " + verdict);
      if (!verdict.differences().isEmpty()) {
        bad.add(verdict);
      }
      verdict.features().forEach(feature -> covered.merge(feature, 1, Integer::sum));
    }
    System.out.println("covered: " + covered);
    assertThat(bad).as("jobs that differ").isEmpty();
    if (running.size() >= 100) {
      assertThat(covered.keySet()).containsAll(expected());
    }
  }

  /** To a file as well, which can be followed while the run goes on. */
  private static void tell(String line) throws IOException {
    System.out.println(line);
    Files.writeString(PROGRESS, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** What a hundred jobs must have used, whatever their seeds are. */
  private static List<String> expected() {
    return Arrays.asList(
        "old-api",
        "new-api",
        "size-EMPTY_FILE",
        "size-BIG",
        "size-HUGE_RECORD",
        "combiner",
        "grouping",
        "skew",
        "multiple-outputs",
        "class-path-file",
        "own-map-containers",
        "own-reduce-containers",
        "part-codec",
        "part-scheme",
        "part-service",
        "reduces-0",
        "shape-CHAIN",
        "shape-MULTITHREADED",
        "input-MULTIPLE",
        "input-COMBINE",
        "input-N_LINE",
        "order-COARSE",
        "order-REVERSE",
        "order-BYTES",
        "order-CONTRARY",
        "spread-TOTAL_ORDER",
        "spread-MODULO",
        "key-JAVA",
        "key-POINT",
        "key-PAIR",
        "value-REST",
        "map-codec-BZIP2",
        "map-codec-SNAPPY",
        "map-codec-ZSTD",
        "output-SEQUENCE_BLOCK");
  }
}
