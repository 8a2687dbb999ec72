// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.mammoth.api.status.DataCacheUse;
import org.mammoth.api.status.DiskUse;
import org.mammoth.api.status.ElementUse;
import org.mammoth.api.status.EngineDecisions.Decision;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.api.status.NodeDecisions;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.api.status.SendUse;
import picocli.CommandLine;

/** What {@code mammoth engine} prints. */
class ReportsTest {

  private static final long MIB = 1L << 20;

  private static String printed(Consumer<PrintWriter> report) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    report.accept(out);
    out.flush();
    return text.toString();
  }

  private static DataCacheUse cache() {
    return new DataCacheUse(
        400 * MIB,
        60 * MIB,
        6,
        9,
        1,
        80 * MIB,
        120 * MIB,
        20 * MIB,
        List.of(
            new DataCacheUse.Set(
                "/pr/iteration-2", "job_1", 6, 55 * MIB, 60 * MIB, true, true, 110 * MIB, 9_000)));
  }

  private static NodeSnapshot node(String problem) {
    MemoryUse memory =
        new MemoryUse(
            1024 * MIB,
            512 * MIB,
            2 * MIB,
            800 * MIB,
            600 * MIB,
            400 * MIB,
            true,
            10 * MIB,
            300 * MIB,
            0,
            500 * MIB,
            1,
            0,
            Map.of("SORT", 400 * MIB),
            List.of(
                new MemoryUse.Lease("ann", "job_1", "attempt_m1", 1, "SORT", 300 * MIB),
                new MemoryUse.Lease("ann", "job_1", "", 12, "SEND", 100 * MIB)),
            List.of(new MemoryUse.Job("ann", "job_1", 2, 1, 0, 300 * MIB, 100 * MIB, 0, 5 * MIB)),
            List.of(),
            List.of(new MemoryUse.Waiter("attempt_r1", "RECEIVE", 1_500, 3)),
            77,
            Map.of());
    DiskUse disk =
        new DiskUse(
            "sda",
            1,
            2_500,
            List.of(
                new DiskUse.Dir("/d1", "HEALTHY", "", 0),
                new DiskUse.Dir("/d2", "QUARANTINED", "EIO in x", 30_000)),
            List.of(
                new DiskUse.Lane("SORT", "WRITE", 2, 5, 4 * MIB, 250, 64 * MIB, 1.5 * MIB, 1),
                new DiskUse.Lane("SEND", "READ", 0, 0, 0, 0, 0, 0, 0)));
    EngineSnapshot snapshot =
        new EngineSnapshot(
            1,
            "engine-ann-1",
            "ann",
            5,
            0,
            0,
            "",
            new EngineSnapshot.Counts(1, 1, 0, 0, 0, 0, 0),
            new EngineSnapshot.Jvm(0, 0, 0, 0, 900 * MIB, 0, 0, 0, 0, 0),
            memory,
            new ElementUse(MIB, 20, 4, List.of(new ElementUse.Share("attempt_m1", "job_1", 4))),
            new SendUse(12, 9, 100 * MIB, 200 * MIB, List.of()),
            cache(),
            List.of(disk),
            List.of());
    return new NodeSnapshot(
        1,
        0,
        true,
        1,
        1,
        1,
        null,
        null,
        null,
        List.of(
            new NodeSnapshot.Engine(
                "engine-ann-1",
                "ann",
                5,
                "TASKS",
                true,
                problem.isEmpty() ? 10 : 9_000,
                problem,
                snapshot)));
  }

  @Test
  void memoryIsATableOfWhoHoldsWhat() {
    String text = printed(out -> new SnapshotReports(out).memory("n1:8042", node("")));
    assertThat(text)
        .startsWith("n1:8042:\n  engine engine-ann-1 of ann\n")
        .contains(
            "leased 512.0 MiB of 1.0 GiB (50 %), pool 400.0 MiB of 800.0 MiB, limited to"
                + " 600.0 MiB beside other users (under pressure)")
        .contains("quotas: map 300.0 MiB (sort buffer 10.0 MiB, borrowed 0 B), reduce 500.0 MiB")
        .contains("elements: 4 of 20 in use; send buffer: 100.0 MiB of 12 outputs, 9 of them")
        .contains(
            "data cache: 60.0 MiB of up to 400.0 MiB in 1 file set; 9 of 10 files opened were in"
                + " memory (90 %), 120.0 MiB read from it, 20.0 MiB given up")
        .containsPattern("USER +JOB +ATTEMPT +ELEMENT +SORT +SEND +RECEIVE +IO +DATA_CACHE +TOTAL")
        .containsPattern("ann +job_1 +attempt_m1 +- +300\\.0 MiB +- +- +- +- +300\\.0 MiB +4\n")
        .containsPattern("ann +job_1 +\\(12 ended\\) +- +- +100\\.0 MiB +- +- +- +100\\.0 MiB +0\n")
        .containsPattern("attempt_r1 +RECEIVE +1\\.5 s +3\n");
  }

  @Test
  void theDataCacheIsATableOfFileSets() {
    String text = printed(out -> new DataCacheReport(out).list("n1:8042", node("")));
    assertThat(text)
        .startsWith("n1:8042:\n  engine engine-ann-1 of ann\n    data cache: 60.0 MiB of up to")
        .containsPattern("FOLDER +JOB +FILES +BYTES +HELD +WHOLE +READ +AGE\n")
        .containsPattern(
            "/pr/iteration-2 +job_1 +6 +55\\.0 MiB +60\\.0 MiB +yes +110\\.0 MiB +9\\.0 s\n");
  }

  @Test
  void disksAreTablesOfWhatWaits() {
    String text = printed(out -> new SnapshotReports(out).disks("n1:8042", node("")));
    assertThat(text)
        .contains("disk sda: 1 in flight, the longest for 2.5 s")
        .contains("/d1 in use")
        .contains("/d2 QUARANTINED: EIO in x; tried again in 30.0 s")
        .containsPattern("SORT +WRITE +2 +5 +4\\.0 MiB +250 ms +64\\.0 MiB +1\\.5 MiB/s +1\n")
        .doesNotContain("SEND");
  }

  @Test
  void statusHasTheMainLinesAndWhatIsLeftOut() {
    String text = printed(out -> new SnapshotReports(out).brief(node("")));
    assertThat(text).contains("leased 512.0 MiB").contains("/d2 QUARANTINED").doesNotContain("/d1");
  }

  @Test
  void oldNumbersAreCalledOld() {
    String text = printed(out -> new SnapshotReports(out).memory("n1", node("it hangs")));
    assertThat(text).contains("engine engine-ann-1 of ann, as it was 9.0 s ago: it hangs");
  }

  private static NodeDecisions decisions(long next, long lastBytes, long from) {
    List<Decision> all =
        LongStream.range(from, next)
            .mapToObj(
                i ->
                    new Decision(
                        i,
                        1_000,
                        "REVOKE",
                        "ann",
                        "job_1",
                        "attempt_r1",
                        "SEND",
                        i == next - 1 ? lastBytes : 5,
                        "PRIORITY",
                        "job_2",
                        "attempt_m9",
                        1_200))
            .toList();
    return new NodeDecisions(
        1, 0, List.of(new NodeDecisions.Engine("e1", "ann", 0, "", next, all)));
  }

  private static List<Long> numbers(List<DecisionReports.Told> told) {
    return told.stream().map(one -> one.decision().sequence()).toList();
  }

  @Test
  void followingRepeatsNothingAndWaitsForTheLastToSettle() {
    DecisionReports reports = new DecisionReports(ZoneOffset.UTC);
    assertThat(numbers(reports.fresh("n", decisions(3, 5, 0)))).containsExactly(0L, 1L);
    assertThat(numbers(reports.fresh("n", decisions(3, 6, 0)))).as("it grew").isEmpty();
    assertThat(numbers(reports.fresh("n", decisions(3, 6, 0)))).containsExactly(2L);
    assertThat(numbers(reports.fresh("n", decisions(3, 6, 0)))).isEmpty();
    assertThat(numbers(reports.fresh("n", decisions(6, 9, 1)))).containsExactly(3L, 4L);
    assertThat(numbers(reports.fresh("other", decisions(2, 9, 0)))).containsExactly(0L);
  }

  @Test
  void aDecisionIsALine() {
    DecisionReports reports = new DecisionReports(ZoneOffset.UTC);
    List<DecisionReports.Told> all = DecisionReports.all("n1:8042", decisions(1, 3 * MIB, 0));
    String[] rows = printed(out -> reports.print(out, all)).split("\n");
    assertThat(rows).hasSize(2);
    assertThat(rows[1].split("\\s{2,}"))
        .containsExactly(
            "00:00:01.000",
            "n1:8042",
            "0",
            "REVOKE",
            "3.0 MiB",
            "SEND",
            "PRIORITY",
            "attempt_r1",
            "attempt_m9",
            "1.2 s");
    assertThat(printed(out -> reports.printLine(out, all.get(0))).trim().split("\\s{2,}"))
        .containsExactly(rows[1].split("\\s{2,}"));
  }

  @Test
  void unitsAreHuman() {
    assertThat(List.of(Units.bytes(0), Units.bytes(1023), Units.bytes(1536), Units.bytes(5L << 30)))
        .containsExactly("0 B", "1023 B", "1.5 KiB", "5.0 GiB");
    assertThat(
            List.of(
                Units.time(999), Units.time(4_200), Units.time(190_000), Units.time(18_120_000)))
        .containsExactly("999 ms", "4.2 s", "3m 10s", "5h 02m");
    assertThat(Units.percent(1, 0)).isEqualTo("-");
  }

  private static int run(StringWriter text, String... arguments) {
    return new CommandLine(new MammothCli())
        .setOut(new PrintWriter(text))
        .setErr(new PrintWriter(text))
        .execute(arguments);
  }

  @Test
  void wrongCommandLinesAreRefused() {
    StringWriter text = new StringWriter();
    assertThat(run(text, "engine")).isEqualTo(2);
    assertThat(run(text, "engine", "-memory", "-disks")).isEqualTo(2);
    assertThat(run(text, "engine", "-memory", "-follow")).isEqualTo(2);
    assertThat(text.toString()).contains("-follow goes with -decisions only");
  }

  @Test
  void helpSaysWhatTheColumnsMean() {
    StringWriter text = new StringWriter();
    assertThat(run(text, "engine", "--help")).isZero();
    assertThat(text.toString())
        .contains("-memory", "-disks", "-decisions", "-follow", "-status", "-node", "-json")
        .contains("ELEMENT", "RECEIVE", "SLABS", "PASSED-BY", "DEPTH", "OLDEST", "RULE", "VICTIM");
  }

  @Test
  void aTasksProgramsAreInTheStatus() throws Exception {
    JsonNode report =
        new ObjectMapper()
            .readTree(
                "{'engines':[{'tasks':[{'attempt':'attempt_m1','memoryMb':1024,'runningMs':5000},"
                        .replace('\'', '"')
                    + "{'attempt':'attempt_m2','programs':2,'programBytes':83886080}]}]}"
                        .replace('\'', '"'));
    assertThat(printed(out -> StatusReport.print(out, "host", report)))
        .contains("attempt_m1, 1024 MiB, PT5S\n")
        .contains("attempt_m2, 0 MiB, PT0S, 2 programs with 80 MiB\n");
  }
}
