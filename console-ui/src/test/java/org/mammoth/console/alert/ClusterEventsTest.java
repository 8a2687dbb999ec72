// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.console.alert.Scene.engine;
import static org.mammoth.console.alert.Scene.id;
import static org.mammoth.console.alert.Scene.job;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.model.Event;
import org.mammoth.console.model.NodeState.Reach;
import org.mammoth.console.store.EventStore;

/** What comes and goes is an event once; what was there before is none. */
class ClusterEventsTest {

  @TempDir Path dir;
  private final Scene scene = new Scene();
  private EventLog log;
  private ClusterEvents events;

  @BeforeEach
  void open() throws Exception {
    Clock clock =
        Clock.fixed(java.time.Instant.ofEpochMilli(Scene.START), java.time.ZoneOffset.UTC);
    log = new EventLog(new EventStore(dir, 86_400_000, 1 << 20), clock);
    events = new ClusterEvents(log);
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      events.see(scene.after(1).moment());
    }
  }

  /** All events so far, the earliest first. */
  private List<String> said() {
    List<String> said = new ArrayList<>();
    for (Event event : log.read(0, Long.MAX_VALUE / 2, e -> true, 1000)) {
      said.add(
          String.join(
              " ", event.kind().name(), event.node() + event.job(), event.subject(), event.text()));
    }
    Collections.reverse(said);
    return said;
  }

  @Test
  void whatWasThereBeforeIsNoEvent() {
    scene.well(1, engine("e1", 1, false, "")).ill(2, Reach.GONE, "refused");
    scene.jobs.add(job("job_1_1", "ada", "UNDEFINED", scene.nowMs - 600_000, 0));
    scene.jobs.add(job("job_1_2", "ada", "SUCCEEDED", 1, scene.nowMs - 600_000));
    pass(10);
    scene.well(3, engine("e3", 1, false, ""));
    pass(60);
    assertThat(said()).isEmpty();
  }

  @Test
  void jobsStartAndEndOnce() throws Exception {
    scene.jobs.add(job("job_1_1", "ada", "UNDEFINED", scene.nowMs - 600_000, 0));
    pass(5);
    scene.jobs.set(0, job("job_1_1", "ada", "FAILED", scene.nowMs - 600_000, scene.nowMs));
    scene.jobs.add(job("job_1_2", "bob", "UNDEFINED", scene.nowMs, 0));
    // So short that it is only seen when it has ended.
    scene.jobs.add(job("job_1_3", "bob", "SUCCEEDED", scene.nowMs - 3000, scene.nowMs));
    pass(90);
    List<String> expected =
        List.of(
            "JOB_ENDED job_1_1 FAILED sort failed",
            "JOB_STARTED job_1_2  sort started",
            "JOB_STARTED job_1_3  sort started",
            "JOB_ENDED job_1_3 SUCCEEDED sort succeeded");
    assertThat(said()).isEqualTo(expected);
    // Another process begins at once: what has been written is not written again.
    log.close();
    scene.nowMs = Scene.START + 20_000;
    open();
    pass(5);
    assertThat(said()).isEqualTo(expected);
  }

  @Test
  void enginesComeAndGo() {
    scene.well(1, engine("busy", 2, false, ""), engine("idle", 0, false, ""));
    pass(3);
    scene.well(1, engine("new", 1, false, ""));
    pass(3);
    assertThat(said())
        .containsExactlyInAnyOrder(
            "ENGINE_STARTED n1:8042 new engine started",
            "ENGINE_ENDED n1:8042 busy engine ended while it ran tasks",
            "ENGINE_ENDED n1:8042 idle idle engine ended");
  }

  @Test
  void nodesJoinAreGoneAndComeBackButDoNotFlap() {
    scene.well(1);
    pass(40);
    scene.well(2);
    pass(1);
    scene.ill(1, Reach.SLOW, "late");
    pass(5);
    scene.well(1);
    pass(5);
    assertThat(said()).containsExactly("NODE_JOINED n2:8042  joined");
    scene.ill(1, Reach.GONE, "refused");
    pass(30);
    scene.well(1);
    pass(3);
    scene.nodes.remove(id(2));
    pass(3);
    assertThat(said().subList(1, 4))
        .containsExactly(
            "NODE_GONE n1:8042  gone: refused",
            "NODE_BACK n1:8042  answers again",
            "NODE_GONE n2:8042  its masters name it no more");
  }

  @Test
  void aDataNodeWhoseNodeManagerComesIsNotGone() {
    scene.lost(1);
    pass(40);
    scene.nodes.clear();
    scene.well(1);
    pass(3);
    scene.lost(1);
    pass(3);
    assertThat(said())
        .containsExactly(
            "NODE_JOINED n1:8042  joined",
            "NODE_JOINED n1:8041  joined",
            "NODE_GONE n1:8042  its masters name it no more");
  }
}
