// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.JobPeaks;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeSample.Fallback;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.RunKind;
import org.mammoth.console.read.ClusterView;

/** Fall-backs are counted once, grouped by reason, and lead to a setting that there is. */
class FallbackReportTest {

  private static JobDigest job(int number, long counted, Map<String, Long> seen) {
    return new JobDigest(
        "job_1_" + number,
        "n",
        "ada",
        "q",
        "SUCCEEDED",
        1,
        number,
        0,
        "ada n",
        null,
        new JobPeaks(0, 0, new long[0], "none"),
        RunKind.ENGINE,
        0,
        0,
        true,
        counted,
        seen);
  }

  private static Moment moment(Fallback... last) {
    NodeSample sample =
        new NodeSample(
            1, 1, true, 0, 0, 0, last.length, Map.of(), List.of(last), null, null, List.of());
    NodeState node =
        new NodeState(
            "n:1",
            "n",
            "r",
            "http://n:1",
            null,
            "",
            "",
            NodeState.Reach.OK,
            "",
            1,
            sample,
            null,
            "",
            null);
    return Moment.of(1, new ClusterView(1, Map.of(), Map.of("n:1", node), List.of(), null));
  }

  private static Fallback fallback(int number, String reason) {
    return new Fallback(number, "container_1_7_01_" + number, "task_1_0007_m_" + number, reason);
  }

  @Test
  void eachIsCountedOnceWhateverNumbersAreInIt() {
    FallbackNotes notes = new FallbackNotes();
    Fallback first = fallback(1, "it asks for 10 MiB and 5 of the engine's 9 are free (mammoth.x)");
    Fallback second =
        fallback(2, "it asks for 11 MiB and 5 of the engine's 9 are free (mammoth.x)");
    notes.see(moment(first));
    notes.see(moment(first));
    // Its masters do not name the node for a second.
    notes.see(Moment.of(1, new ClusterView(1, Map.of(), Map.of(), List.of(), null)));
    notes.see(moment(first, second));
    notes.see(moment(second, fallback(3, "it is profiled (mapreduce.task.profile)")));
    assertThat(notes.of("job_1_0007"))
        .isEqualTo(
            Map.of(
                "it asks for N MiB and N of the engine's N are free (mammoth.x)", 2L,
                "it is profiled (mapreduce.task.profile)", 1L));
    assertThat(notes.of("job_1_0008")).isEmpty();
  }

  /** Where Mammoth failed the node knows the container only; its epoch is the ResourceManager's. */
  @Test
  void aContainersNameLeadsToItsJob() {
    FallbackNotes notes = new FallbackNotes();
    String reason = "Mammoth failed at it";
    String plain = "container_1700000000000_0042_01_000005";
    String restarted = "container_e17_1700000000000_0042_01_000006";
    notes.see(
        moment(
            new Fallback(1, plain, plain, reason), new Fallback(2, restarted, restarted, reason)));
    assertThat(notes.of("job_1700000000000_0042")).isEqualTo(Map.of(reason, 2L));
  }

  @Test
  void tasksThatNobodySawAreToldApart() {
    String profiled = "it is profiled (mapreduce.task.profile)";
    List<FallbackReport> reports =
        FallbackReport.of(
            List.of(
                job(1, 5, Map.of(profiled, 2L)),
                job(2, 1, Map.of(profiled, 1L)),
                job(3, 0, Map.of())));
    assertThat(reports).hasSize(2);
    assertThat(reports.get(0).tasks()).isEqualTo(3);
    assertThat(reports.get(0).jobs()).isEqualTo(2);
    assertThat(reports.get(0).key()).isEqualTo("mapreduce.task.profile");
    assertThat(reports.get(0).latest().get(0).id()).isEqualTo("job_1_2");
    assertThat(reports.get(1).reason()).isEmpty();
    assertThat(reports.get(1).tasks()).isEqualTo(3);
  }

  @Test
  void eachReasonOfTheHandbookLeadsToAKeyThatThereIs() throws Exception {
    String keys = Files.readString(Path.of("../docs/configuration.md"));
    String table = Files.readString(Path.of("../docs/troubleshooting.md"));
    table = table.substring(table.indexOf("## Tasks run in ordinary containers"));
    table = table.substring(0, table.indexOf("ApplicationMasters: "));
    List<String> without = new ArrayList<>();
    for (String line : table.split("\n")) {
      if (!line.startsWith("| `")) {
        continue;
      }
      Matcher reason = Pattern.compile("`([^`]+)`").matcher(line.substring(0, line.indexOf(" | ")));
      while (reason.find()) {
        FallbackRemedies.Remedy remedy = FallbackRemedies.of(reason.group(1));
        assertThat(remedy.text()).isNotEmpty();
        if (remedy.key().isEmpty()) {
          without.add(reason.group(1));
        } else if (remedy.key().startsWith("mammoth.")) {
          assertThat(keys).contains("| `" + remedy.key() + "` |");
        }
      }
    }
    // Programs, user code that needs a process, and engines that came to an end have no setting.
    assertThat(without).hasSizeBetween(10, 20).noneMatch(words -> words.contains("(mammoth."));
    assertThat(
            FallbackRemedies.of(
                    "it asks for N MiB and N of the engine's N are free (mammoth.engine.memory-mb)")
                .key())
        .isEqualTo("mammoth.engine.memory-mb");
  }
}
