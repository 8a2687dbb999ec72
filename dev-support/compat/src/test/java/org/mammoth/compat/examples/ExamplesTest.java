// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;
import org.mammoth.compat.diff.CounterDiff;
import org.mammoth.compat.diff.JobCounts;
import org.mammoth.compat.diff.OutputDiff;
import org.mammoth.compat.diff.Side;

/**
 * Every example program gives the same bytes and counters in ordinary containers as in the engine.
 */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExamplesTest {
  private static final Path INPUTS = new Path("/examples/input");

  private final ExecutorService pool = Executors.newFixedThreadPool(2);

  @AfterAll
  void stop() {
    pool.shutdownNow();
  }

  private record Pair(Example example, ExampleRun engine, ExampleRun stock) {}

  @TestFactory
  Stream<DynamicTest> aProgramOfEachKindGivesWhatStockGives(MiniCluster cluster)
      throws IOException {
    return tests(ExampleCatalog.shortRun(), cluster);
  }

  @TestFactory
  @Tag("long") // dev-support/bin/soak examples
  Stream<DynamicTest> allOthersGiveWhatStockGives(MiniCluster cluster) throws IOException {
    return tests(ExampleCatalog.others(), cluster);
  }

  private Stream<DynamicTest> tests(List<Example> examples, MiniCluster cluster)
      throws IOException {
    new ExampleInputs(cluster.fs(), cluster.conf()).write(INPUTS);
    List<DynamicTest> tests = new ArrayList<>();
    for (Example example : examples) {
      Future<Pair> running = pool.submit(() -> run(example, cluster));
      tests.add(DynamicTest.dynamicTest(example.name(), () -> check(running.get(), cluster)));
    }
    return tests.stream();
  }

  @Test
  @Tag("long")
  void distbbpGivesWhatStockGives(MiniCluster cluster) throws Exception {
    check(run(ExampleCatalog.distBbp(), cluster), cluster);
  }

  private static Pair run(Example example, MiniCluster cluster) throws Exception {
    return new Pair(
        example,
        ExampleRun.of(example, Side.ENGINE, cluster, INPUTS),
        ExampleRun.of(example, Side.CONTAINERS, cluster, INPUTS));
  }

  private static void check(Pair pair, MiniCluster cluster) throws IOException {
    List<JobCounts> engine = pair.engine.jobs();
    List<JobCounts> stock = pair.stock.jobs();
    assertThat(engine).as("jobs").hasSameSizeAs(stock).isNotEmpty();
    CounterDiff rules =
        CounterDiff.strict().inEngineMemory(true).without(name -> unsteady(pair.example, name));
    List<String> differences = new ArrayList<>();
    for (int job = 0; job < engine.size(); job++) {
      assertThat(launched(engine.get(job))).as("tasks of the engine side").isPositive();
      differences.addAll(rules.compare(engine.get(job), stock.get(job)));
    }
    OutputDiff outputs = new OutputDiff(cluster.fs(), cluster.conf(), pair.example.timed());
    if (!cluster.fs().exists(pair.stock.output())) {
      assertThat(cluster.fs().exists(pair.engine.output())).isFalse();
    } else if (pair.example.random()) {
      assertThat(outputs.files(pair.engine.output()).keySet())
          .isEqualTo(outputs.files(pair.stock.output()).keySet());
    } else {
      differences.addAll(outputs.compare(pair.engine.output(), pair.stock.output()));
    }
    assertThat(differences).as(pair.example + ": engine against stock").isEmpty();
  }

  private static boolean unsteady(Example example, String name) {
    String counter = name.substring(name.indexOf('/') + 1);
    return example.unsteady().contains(counter) || example.random() && !isJobShape(counter);
  }

  /** What even a random program does the same way each time. */
  private static boolean isJobShape(String counter) {
    return counter.equals(JobCounter.TOTAL_LAUNCHED_MAPS.name())
        || counter.equals(JobCounter.NUM_FAILED_MAPS.name())
        || counter.equals(TaskCounter.MAP_INPUT_RECORDS.name())
        || counter.equals(TaskCounter.SPLIT_RAW_BYTES.name());
  }

  private static long launched(JobCounts job) {
    return job.counters().findCounter(JobCounter.TOTAL_LAUNCHED_MAPS).getValue();
  }
}
