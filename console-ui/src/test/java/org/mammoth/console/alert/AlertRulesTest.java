// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.console.alert.Scene.disk;
import static org.mammoth.console.alert.Scene.engine;
import static org.mammoth.console.alert.Scene.id;
import static org.mammoth.console.alert.Scene.job;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.config.ConfigKey;
import org.mammoth.config.Keys;
import org.mammoth.console.config.AlertKeys;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState.Reach;
import org.mammoth.console.read.ClusterWatch;

/** Each rule finds what it is about, with its labels, and keeps quiet about what is well. */
class AlertRulesTest {

  private final Configuration conf = new Configuration(false);
  private final Scene scene = new Scene();
  private final Map<String, String> names = new HashMap<>();

  private AlertRule rule(String name) {
    return AlertRules.of(conf).stream()
        .filter(rule -> rule.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private List<Finding> found(AlertRule rule) {
    List<Finding> found = new ArrayList<>();
    rule.judge().look(new Facts(scene.moment(), names), found::add);
    return found;
  }

  private List<Map<String, String>> labels(String rule) {
    return found(rule(rule)).stream().map(Finding::labels).toList();
  }

  private boolean unknown(String name, Map<String, String> labels) {
    AlertRule rule = rule(name);
    Alert alert = Alert.pending(rule, new Finding(labels, "", "", 0), scene.nowMs);
    return rule.judge().unknown(new Facts(scene.moment(), names), alert);
  }

  @Test
  void aWellClusterHasNone() {
    scene.well(1, engine("e1", 2, false, disk("sda", 10, ""))).well(2);
    scene.jobs.add(job("job_1_1", "ada", "SUCCEEDED", 1, scene.nowMs));
    for (AlertRule rule : AlertRules.of(conf)) {
      assertThat(found(rule)).as(rule.name()).isEmpty();
    }
  }

  @Test
  void everyRuleSaysWhatItIsAboutAndAKeyOfZeroTurnsItOff() {
    List<AlertRule> all = AlertRules.of(conf);
    assertThat(all)
        .extracting(AlertRule::name)
        .containsExactlyInAnyOrder(
            "EngineDied",
            "JobFailed",
            "TasksInContainers",
            "MemoryPressure",
            "SpillBacklog",
            "CacheHitRateFell",
            "DiskOut",
            "LocalDirsBad",
            "VolumeFailed",
            "NodeUnreachable",
            "MasterUnreachable",
            "MixedVersions");
    List<String> known = Keys.in(AlertKeys.class).stream().map(ConfigKey::name).toList();
    for (AlertRule rule : all) {
      assertThat(rule.meaning()).endsWith(".");
      assertThat(rule.remedy()).endsWith(".");
      for (String key : rule.keys()) {
        assertThat(known).contains(key);
        Configuration off = new Configuration(false);
        off.set(key, "0");
        assertThat(AlertRules.of(off))
            .as(key)
            .hasSize(all.size() - 1)
            .extracting(AlertRule::name)
            .doesNotContain(rule.name());
      }
    }
  }

  @Test
  void anEngineThatDiedIsToldOfForItsTime() {
    AlertRule rule = rule("EngineDied");
    scene.well(1, engine("e1", 2, false, ""));
    assertThat(found(rule)).isEmpty();
    scene.after(1).well(1);
    List<Finding> found = found(rule);
    assertThat(found).extracting(Finding::labels).containsExactly(Map.of("node", id(1)));
    assertThat(found.get(0).untilMs()).isEqualTo(scene.nowMs + 900_000);
    scene.after(900);
    assertThat(found(rule)).isEmpty();
  }

  @Test
  void aJobThatFailedIsToldOfForItsTime() {
    scene.jobs.add(job("job_1_1", "ada", "FAILED", 1, scene.nowMs - 1000));
    scene.jobs.add(job("job_1_2", "ada", "KILLED", 1, scene.nowMs - 1000));
    scene.jobs.add(job("job_1_3", "ada", "FAILED", 1, scene.nowMs - 3_600_000));
    assertThat(labels("JobFailed"))
        .containsExactly(Map.of("job", "job_1_1", "user", "ada", "queue", "default"));
  }

  @Test
  void aJobThatFailedByAClockThatIsBehindIsToldOfFromWhenItWasSeen() {
    long finished = scene.nowMs - 7_200_000;
    scene.jobs.add(job("job_1_1", "ada", "FAILED", 1, finished, scene.nowMs));
    List<Finding> found = found(rule("JobFailed"));
    assertThat(found).extracting(Finding::untilMs).containsExactly(scene.nowMs + 3_600_000);
    assertThat(scene.moment().attention()).hasSize(1);
    scene.after(3_600);
    assertThat(labels("JobFailed")).isEmpty();
    assertThat(scene.moment().attention()).isEmpty();
  }

  @Test
  void tasksInContainersAreCountedWithinAQuarterOfAnHour() {
    List<NodeSample.Fallback> last = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      last.add(new NodeSample.Fallback(scene.nowMs - i * 40_000, "c", "t", "it streams"));
    }
    scene.node(1, Reach.OK, "", scene.sample(last), null);
    assertThat(found(rule("TasksInContainers")))
        .extracting(Finding::labels, Finding::description)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple(
                Map.of("node", id(1)),
                "20 tasks or more within 15 minutes, most of them because it streams."));
    last.set(19, new NodeSample.Fallback(scene.nowMs - 900_000, "c", "t", "it streams"));
    scene.node(1, Reach.OK, "", scene.sample(last), null);
    assertThat(labels("TasksInContainers")).isEmpty();
  }

  @Test
  void pressureBacklogAndDirectoriesAreNamedWithTheirNode() {
    scene
        .well(1, engine("e1", 1, true, ""))
        .well(2, engine("e2", 1, false, disk("sdb", 30_001, "")))
        .well(3, engine("e3", 1, false, disk("sdc", 30_000, "no space left")));
    assertThat(labels("MemoryPressure")).containsExactly(Map.of("node", id(1)));
    assertThat(labels("SpillBacklog")).containsExactly(Map.of("node", id(2), "disk", "sdb"));
    assertThat(labels("DiskOut"))
        .containsExactly(Map.of("node", id(3), "disk", "sdc", "dir", "/data/0"));
  }

  @Test
  void aNodeThatIsSilentIsUnknownToWhatItsEnginesTell() {
    scene.well(1).ill(2, Reach.GONE, "refused").ill(3, Reach.NEW, "");
    for (String rule : List.of("MemoryPressure", "SpillBacklog", "TasksInContainers", "DiskOut")) {
      assertThat(unknown(rule, Map.of("node", id(2)))).as(rule).isTrue();
      assertThat(unknown(rule, Map.of("node", id(3)))).as(rule).isTrue();
    }
    assertThat(unknown("MemoryPressure", Map.of("node", id(1)))).isFalse();
    assertThat(unknown("DiskOut", Map.of("node", id(1)))).as("no engine uses its disks").isTrue();
    scene.well(1, engine("e", 1, false, disk("sda", 0, "")));
    assertThat(unknown("DiskOut", Map.of("node", id(1)))).isFalse();
  }

  @Test
  void aNodeThatCannotBeReadIsUnreachableOneOfAnotherVersionIsNot() {
    scene
        .ill(1, Reach.GONE, "refused")
        .ill(2, Reach.SLOW, "late")
        .ill(3, Reach.REFUSED, "401")
        .ill(4, Reach.FOREIGN, "later")
        .ill(5, Reach.NEW, "")
        .well(6);
    assertThat(labels("NodeUnreachable"))
        .containsExactlyInAnyOrder(
            Map.of("node", id(1)), Map.of("node", id(2)), Map.of("node", id(3)));
    assertThat(labels("MixedVersions")).containsExactly(Map.of());
    assertThat(unknown("NodeUnreachable", Map.of("node", id(5)))).isTrue();
    assertThat(unknown("NodeUnreachable", Map.of("node", id(6)))).isFalse();
  }

  @Test
  void aNodeThatYarnCallsUnhealthyIsToldOfAlthoughItAnswers() {
    scene.well(1).unhealthy(1).well(2);
    assertThat(labels("NodeUnreachable")).containsExactly(Map.of("node", id(1)));
    assertThat(scene.moment().attention()).hasSize(1);
    scene.well(1);
    assertThat(labels("NodeUnreachable")).isEmpty();
    assertThat(unknown("NodeUnreachable", Map.of("node", id(1)))).isFalse();
  }

  @Test
  void foldersThatAreLeftOutAndDisksThatFailedAreToldOf() {
    scene.well(1).well(2).disks(2, 1, 2).well(3).disks(3, 0, 0);
    assertThat(labels("LocalDirsBad")).containsExactly(Map.of("node", id(2)));
    assertThat(labels("VolumeFailed")).containsExactly(Map.of("node", id(2)));
    assertThat(scene.moment().attention()).hasSize(2);
    assertThat(unknown("LocalDirsBad", Map.of("node", id(3)))).isFalse();
    assertThat(unknown("VolumeFailed", Map.of("node", id(3)))).isFalse();
    scene.ill(3, Reach.GONE, "refused");
    assertThat(unknown("LocalDirsBad", Map.of("node", id(3)))).isTrue();
  }

  @Test
  void aNodeThatYarnHasLostKeepsItsName() {
    scene.ill(1, Reach.GONE, "refused").well(2);
    assertThat(labels("NodeUnreachable")).containsExactly(Map.of("node", id(1)));
    scene.lost(1);
    assertThat(labels("NodeUnreachable")).containsExactly(Map.of("node", id(1)));
    assertThat(unknown("MemoryPressure", Map.of("node", id(1)))).isTrue();
    // One that was stopped in order, or that its master names no more, has left.
    scene.away(1, "SHUTDOWN");
    assertThat(labels("NodeUnreachable")).isEmpty();
    assertThat(unknown("NodeUnreachable", Map.of("node", id(1)))).isFalse();
    assertThat(unknown("MemoryPressure", Map.of("node", id(1)))).isFalse();
    scene.nodes.remove("n1:8041");
    assertThat(unknown("NodeUnreachable", Map.of("node", id(1)))).isFalse();
    scene.masters.put("http://rm:8088", "refused");
    assertThat(unknown("NodeUnreachable", Map.of("node", id(1)))).isTrue();
  }

  @Test
  void aNodeThatHasLeftHasLeftAlsoWhileAStandbyMasterIsDown() {
    scene.masters.put("http://nn1:9870", "refused");
    scene.masters.put("http://nn2:9870", "");
    scene.ill(1, Reach.GONE, "refused").well(2);
    assertThat(labels("NodeUnreachable")).hasSize(1);
    for (String state : List.of("SHUTDOWN", "DECOMMISSIONED")) {
      scene.away(1, state);
      assertThat(labels("NodeUnreachable")).as(state).isEmpty();
      assertThat(unknown("NodeUnreachable", Map.of("node", id(1)))).as(state).isFalse();
      assertThat(unknown("MemoryPressure", Map.of("node", id(1)))).as(state).isFalse();
    }
    scene.nodes.remove("n1:8041");
    assertThat(unknown("NodeUnreachable", Map.of("node", id(1))))
        .as("nobody says that it has left")
        .isTrue();
  }

  @Test
  void aMasterThatNobodyHasAskedIsUnknown() {
    scene.masters.put("http://nn:9870", ClusterWatch.NOT_ASKED);
    assertThat(labels("MasterUnreachable")).isEmpty();
    assertThat(unknown("MasterUnreachable", Map.of("master", "http://nn:9870"))).isTrue();
    scene.masters.put("http://nn:9870", "refused");
    assertThat(labels("MasterUnreachable")).containsExactly(Map.of("master", "http://nn:9870"));
    scene.masters.put("http://nn:9870", "");
    assertThat(labels("MasterUnreachable")).isEmpty();
    assertThat(unknown("MasterUnreachable", Map.of("master", "http://nn:9870"))).isFalse();
  }

  @Test
  void aHitRateThatFellIsSeenOnceThereWereReadsEnough() {
    AlertRule rule = rule("CacheHitRateFell");
    long hits = 0;
    long misses = 0;
    for (int minute = 0; minute < 60; minute++) {
      hits += 80;
      misses += 20;
      scene.after(60).node(1, Reach.OK, "", null, Scene.cache(hits, misses));
      assertThat(found(rule)).as("minute " + minute).isEmpty();
    }
    int fell = 0;
    for (int minute = 0; minute < 15; minute++) {
      hits += 30;
      misses += 70;
      scene.after(60).node(1, Reach.OK, "", null, Scene.cache(hits, misses));
      fell += found(rule).size();
    }
    // 80 % before; 15 minutes' mean is below 40 % in the last of them only: 30 + 50 * rest / 15.
    assertThat(fell).isBetween(2, 4);
    assertThat(found(rule).get(0).description())
        .isEqualTo("30 % of block reads within 15 minutes, 80 % in the day before.");
    // A DataNode that begins to count anew is no fall.
    scene.after(60).node(1, Reach.OK, "", null, Scene.cache(0, 0));
    assertThat(found(rule)).hasSize(1);
    // Without reads nothing is known, which is no reason to be quiet.
    for (int minute = 0; minute < 20; minute++) {
      scene.after(60);
      found(rule);
    }
    assertThat(found(rule)).isEmpty();
    Alert alert = Alert.pending(rule, new Finding(Map.of(), "", "", 0), scene.nowMs);
    assertThat(rule.judge().unknown(new Facts(scene.moment(), names), alert)).isTrue();
  }
}
