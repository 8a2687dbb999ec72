// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SimulationTest {

  private static final double GIB = 1L << 30;

  @TempDir Path folder;

  @Test
  void theBenchmarksHaveTheSizesOfTable2() {
    for (Benchmark benchmark : Benchmark.values()) {
      double gib = benchmark.blocks(10) * (double) PaperTrace.BLOCK_BYTES / GIB;
      assertThat(gib).as(benchmark.name()).isCloseTo(benchmark.unitGiB * 10, within(0.1));
    }
    assertThat(Benchmark.values()).hasSize(13);
  }

  @Test
  void theSizesOfATraceFollowEquation3() {
    Map<String, Integer> count = new HashMap<>();
    int jobs = 100_000;
    for (TraceJob job : PaperTrace.make(jobs, 1, 7)) {
      count.merge(job.dataSet(), 1, Integer::sum);
    }
    double harmonic = 0;
    for (int i = 1; i <= 20; i++) {
      harmonic += 1.0 / i;
    }
    for (int k : new int[] {1, 2, 10, 20}) {
      // Five of thirteen benchmarks read wikipedia.
      double expected = jobs * 5 / 13.0 / k / harmonic;
      assertThat((double) count.get("/data/wikipedia/x" + k))
          .isCloseTo(expected, within(5 * Math.sqrt(expected)));
    }
  }

  @Test
  void withoutCacheTheCostModelGivesTable2() {
    for (Benchmark benchmark : Benchmark.values()) {
      TraceJob job =
          new TraceJob(benchmark.name(), "/x", benchmark.blocks(10), PaperTrace.BLOCK_BYTES, 0);
      CostModel.Time time = CostModel.PAPER.time(job, spread(benchmark.blocks(10), true), 0);
      assertThat(time.map())
          .as(benchmark.name())
          .isCloseTo(benchmark.tableMapSeconds, within(0.01 * benchmark.tableMapSeconds));
      assertThat(time.reduce()).isCloseTo(benchmark.tableReduceSeconds, within(1e-9));
    }
  }

  @Test
  void fewMissesCostAWaveAsMuchAsAllOnlyInStrictWaves() {
    TraceJob job = new TraceJob("GREP", "/x", 96, PaperTrace.BLOCK_BYTES, 0);
    boolean[][] none = spread(96, false);
    boolean[][] few = spread(96, false);
    for (int task = 0; task < 4; task++) {
      few[2][task * 3] = true;
    }
    boolean[][] all = spread(96, true);
    assertThat(CostModel.PAPER_STRICT.time(job, few, 0).map())
        .isEqualTo(CostModel.PAPER_STRICT.time(job, all, 0).map());
    double little =
        CostModel.PAPER.time(job, few, 0).map() - CostModel.PAPER.time(job, none, 0).map();
    double much =
        CostModel.PAPER.time(job, all, 0).map() - CostModel.PAPER.time(job, none, 0).map();
    assertThat(little).isPositive().isLessThan(much / 4);
  }

  private static boolean[][] spread(int blocks, boolean missed) {
    boolean[][] nodes = new boolean[6][];
    for (int node = 0; node < 6; node++) {
      nodes[node] = new boolean[blocks / 6 + (node < blocks % 6 ? 1 : 0)];
      java.util.Arrays.fill(nodes[node], missed);
    }
    return nodes;
  }

  @Test
  void aCacheThatHoldsEverythingMissesOnlyOnce() {
    List<TraceJob> trace = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      trace.add(new TraceJob("GREP", "/a", 100, PaperTrace.BLOCK_BYTES, 0));
    }
    SimulationResult result =
        new Simulator(
                SimulatedCluster.of(6, 80), PaperFigures.policies().get("mpCache"), CostModel.PAPER)
            .run(trace, 0);
    assertThat(result.jobHitRate()).isEqualTo(0.9, within(1e-9));
    assertThat(result.completeRate()).isEqualTo(0.9, within(1e-9));
    assertThat(result.meanSpeedup()).isGreaterThan(1.5);
  }

  /**
   * The order of the mpCache paper (Wang et al. 2016, §4.3.2), at its cache size and Zipf
   * parameter.
   */
  @Test
  void mpCacheFinishesJobsSoonerThanLruAndLfu() {
    PaperFigures figures = new PaperFigures(6, 1000, 3);
    Map<String, List<SimulationResult>> runs = new HashMap<>();
    PaperFigures.policies()
        .forEach((name, policy) -> runs.put(name, figures.runs(policy, 80, 1, 1000)));
    for (String other : List.of("LRU", "LFU")) {
      assertThat(PaperFigures.mean(runs.get("mpCache"), SimulationResult::meanSpeedup))
          .as("speed-up against %s", other)
          .isGreaterThan(PaperFigures.mean(runs.get(other), SimulationResult::meanSpeedup));
      assertThat(PaperFigures.mean(runs.get("mpCache"), SimulationResult::completeRate))
          .as("complete data sets against %s", other)
          .isGreaterThan(PaperFigures.mean(runs.get(other), SimulationResult::completeRate));
    }
    assertThat(PaperFigures.mean(runs.get("mpCache"), SimulationResult::jobHitRate))
        .as("the paper's hit rate is 61.7 %%")
        .isBetween(0.55, 0.68);
    assertThat(PaperFigures.mean(runs.get("LFU"), SimulationResult::jobHitRate))
        .isGreaterThan(PaperFigures.mean(runs.get("LRU"), SimulationResult::jobHitRate));
  }

  @Test
  void aTraceIsReadAsItWasWritten() throws IOException {
    List<TraceJob> trace = PaperTrace.make(50, 1, 3);
    Path file = folder.resolve("trace");
    TraceFile.write(trace, file);
    assertThat(TraceFile.read(file)).isEqualTo(trace);
    Files.writeString(file, "GREP\t/a\tmany\t1\t0\n");
    assertThatThrownBy(() -> TraceFile.read(file)).hasMessageContaining("line 1");
  }

  @Test
  void theCommandLineGeneratesAndSimulates() {
    Path trace = folder.resolve("trace");
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(new SimulationMain());
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    assertThat(line.execute("-generate", trace.toString(), "-jobs", "30")).isZero();
    assertThat(line.execute("-simulate", trace.toString(), "-cache", "5,80")).isZero();
    assertThat(out.toString().lines().map(row -> row.split("\t")[0]))
        .containsExactly(
            "policy",
            "mpcache",
            "lru",
            "lfu",
            "lfu-history",
            "mpcache",
            "lru",
            "lfu",
            "lfu-history");
    assertThat(line.execute("-simulate", trace.toString(), "-policy", "fifo")).isEqualTo(2);
    assertThat(line.execute()).isEqualTo(2);
  }

  @Test
  void aPlotIsXmlWithALinePerPolicy() throws Exception {
    String svg =
        new SvgPlot("a < b & c", "x", "y")
            .line("one", new double[] {0.2, 1, 2}, new double[] {0.1, 0.5, 0.7})
            .line("two", new double[] {0.2, 1, 2}, new double[] {0, 0, 0.3})
            .svg();
    Path file = folder.resolve("plot.svg");
    Files.writeString(file, svg);
    var document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(2);
  }
}
