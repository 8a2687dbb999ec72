// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.config.AlertKeys;
import org.mammoth.console.model.Event;
import org.mammoth.console.model.NodeState.Reach;
import org.mammoth.console.store.EventStore;

/** Alerts over seconds and over restarts of the console, on a clock of the test's own. */
class AlertsTest {

  @TempDir Path dir;
  private final Scene scene = new Scene();
  private final NotifierTest.Postbox box = new NotifierTest.Postbox();
  private final Configuration conf = new Configuration(false);
  private EventLog events;
  private Alerts alerts;

  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return Instant.ofEpochMilli(scene.nowMs);
        }

        @Override
        public java.time.ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
          return this;
        }
      };

  /** Starts the console, or after a kill -9 the next one. */
  private void start() throws Exception {
    conf.set(AlertKeys.NODE_UNREACHABLE.name(), "20");
    conf.set(AlertKeys.RESOLVE.name(), "10");
    conf.set(AlertKeys.GROUP_WAIT.name(), "5");
    events = new EventLog(new EventStore(dir.resolve("events"), 86_400_000, 1 << 20), clock);
    alerts = new Alerts(conf, dir, events, clock, () -> "http://console/", List.of(box));
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      alerts.second(scene.after(1).moment());
    }
  }

  private List<Alert.State> states() {
    return alerts.snapshot().active().stream().map(Alert::state).toList();
  }

  private List<Event.Kind> kinds() {
    return events.read(0, Long.MAX_VALUE / 2, event -> true, 100).stream()
        .map(Event::kind)
        .toList();
  }

  @Test
  void aNodeThatIsGoneFiresAndIsResolvedWhenItIsBack() throws Exception {
    start();
    scene.well(1).well(2).ill(1, Reach.GONE, "refused");
    pass(20);
    assertThat(states()).containsExactly(Alert.State.PENDING);
    pass(1);
    assertThat(states()).containsExactly(Alert.State.FIRING);
    pass(10);
    // What has not changed is not written again.
    Files.writeString(dir.resolve("alerts.json"), "mine");
    scene.well(1);
    pass(9);
    assertThat(Files.readString(dir.resolve("alerts.json"))).isEqualTo("mine");
    assertThat(states()).containsExactly(Alert.State.FIRING);
    pass(2);
    assertThat(states()).isEmpty();
    assertThat(alerts.snapshot().resolved())
        .extracting(Alert::rule, alert -> alert.resolvedMs() - alert.firedMs())
        .containsExactly(tuple("NodeUnreachable", 20_000L));
    assertThat(kinds())
        .containsExactly(Event.Kind.ALERT_RESOLVED, Event.Kind.NODE_BACK, Event.Kind.ALERT_FIRED);
  }

  @Test
  void silenceResolvesNothing() throws Exception {
    conf.set(AlertKeys.MEMORY_PRESSURE.name(), "5");
    start();
    scene.well(1, Scene.engine("e", 1, true, ""));
    pass(7);
    assertThat(states()).containsExactly(Alert.State.FIRING);
    scene.ill(1, Reach.GONE, "refused");
    pass(100);
    assertThat(alerts.snapshot().active())
        .extracting(Alert::rule)
        .contains("MemoryPressure", "NodeUnreachable");
    scene.well(1, Scene.engine("e", 1, false, ""));
    pass(15);
    assertThat(states()).isEmpty();
  }

  @Test
  void aRestartSendsNothingAgainAndLosesNeitherAcknowledgementNorMute() throws Exception {
    start();
    scene.ill(1, Reach.GONE, "refused").ill(2, Reach.GONE, "refused");
    pass(40);
    assertThat(box.got).hasSize(1);
    String one = alerts.snapshot().active().get(0).fingerprint();
    assertThat(alerts.acknowledge("NodeUnreachable", one, "ada", "on it")).hasSize(1);
    Mute mute =
        alerts.mute("NodeUnreachable", Map.of("node", Scene.id(2)), 600_000, "ada", "known");
    long fired = alerts.snapshot().active().get(0).firedMs();

    scene.after(30);
    start();
    // Nothing was read yet: nothing is known of any node.
    Map<String, org.mammoth.console.model.NodeState> known = new java.util.TreeMap<>(scene.nodes);
    scene.nodes.clear();
    scene.masters.put("http://rm:8088", "not asked yet");
    pass(60);
    scene.masters.put("http://rm:8088", "");
    scene.nodes.putAll(known);
    pass(300);
    Alerts.Snapshot after = alerts.snapshot();
    assertThat(after.active())
        .extracting(Alert::state, Alert::firedMs)
        .containsExactly(tuple(Alert.State.FIRING, fired), tuple(Alert.State.FIRING, fired));
    assertThat(after.active().get(0).acknowledged().comment()).isEqualTo("on it");
    assertThat(after.mutes()).containsExactly(mute);
    assertThat(after.muted()).containsExactly(after.active().get(1).fingerprint());
    assertThat(box.got).as("of what was told before, nothing is told again").hasSize(1);

    pass(600);
    assertThat(alerts.snapshot().mutes()).as("a mute ends").isEmpty();
    assertThat(Files.readString(dir.resolve("alerts.json"))).doesNotContain(mute.id());
    scene.well(1).well(2);
    pass(400);
    assertThat(box.got.get(box.got.size() - 1).status()).isEqualTo("resolved");
    start();
    assertThat(alerts.snapshot().resolved()).hasSize(2);
    assertThat(alerts.snapshot().active()).isEmpty();
  }

  @Test
  void aClockThatWasSetRightBetweenTwoStartsHoldsNothingUp() throws Exception {
    long right = scene.nowMs;
    scene.after(86_400);
    start();
    scene.ill(1, Reach.GONE, "refused").ill(2, Reach.GONE, "refused");
    scene.well(3, Scene.engine("e", 1, false, ""));
    pass(1);
    scene.well(3);
    pass(40);
    assertThat(alerts.snapshot().active())
        .extracting(Alert::rule)
        .contains("EngineDied", "NodeUnreachable");
    alerts.mute("NodeUnreachable", Map.of("node", Scene.id(2)), 3_600_000, "ada", "");
    int told = box.got.size();

    scene.restarted(right);
    start();
    pass(15);
    assertThat(alerts.snapshot().mutes().get(0).untilMs()).isEqualTo(right + 3_600_000);
    assertThat(alerts.snapshot().resolved()).extracting(Alert::rule).containsExactly("EngineDied");
    start();
    assertThat(alerts.snapshot().mutes().get(0).untilMs())
        .as("no second start makes it longer")
        .isEqualTo(right + 3_600_000);
    scene.ill(4, Reach.GONE, "refused");
    pass(330);
    List<Notification> since = box.got.subList(told, box.got.size());
    assertThat(since)
        .extracting(one -> one.groupLabels().get("alertname"))
        .containsExactlyInAnyOrder("EngineDied", "NodeUnreachable");
    assertThat(since)
        .flatExtracting(Notification::alerts)
        .extracting(one -> one.labels().get("node"), Notification.Item::status)
        .contains(tuple(Scene.id(4), "firing"), tuple(Scene.id(3), "resolved"));
    pass(3_300);
    assertThat(alerts.snapshot().mutes()).isEmpty();
  }

  @Test
  void anAcknowledgementEndsWithItsAlert() throws Exception {
    start();
    scene.ill(1, Reach.GONE, "refused");
    pass(25);
    assertThat(alerts.acknowledge("NodeUnreachable", "", "ada", "")).hasSize(1);
    assertThat(alerts.acknowledge("MemoryPressure", "", "ada", "")).isEmpty();
    assertThat(alerts.acknowledge("NodeUnreachable", "none", "ada", "")).isEmpty();
    scene.well(1);
    pass(15);
    scene.ill(1, Reach.GONE, "refused");
    pass(25);
    assertThat(alerts.snapshot().active()).extracting(Alert::acknowledged).containsOnlyNulls();
    assertThat(kinds()).contains(Event.Kind.ALERT_ACKNOWLEDGED);
  }

  @Test
  void aDamagedFileIsSetAside() throws Exception {
    start();
    scene.ill(1, Reach.GONE, "refused");
    pass(25);
    Path file = dir.resolve("alerts.json");
    String whole = Files.readString(file);
    for (String damaged :
        List.of("", "{", whole.substring(0, whole.length() / 2), "null", "[]", "{\"version\":9}")) {
      Files.writeString(file, damaged);
      start();
      assertThat(alerts.snapshot().active()).as(damaged).isEmpty();
      assertThat(file).doesNotExist();
      assertThat(Files.readString(dir.resolve("alerts.json.damaged"))).isEqualTo(damaged);
    }
    pass(25);
    assertThat(states()).containsExactly(Alert.State.FIRING);
  }

  @Test
  void aDiskThatTakesNothingStopsNoAlertAndIsToldOf() throws Exception {
    start();
    // A folder in the place of the file that is written: nothing can replace it.
    Files.createDirectories(dir.resolve("alerts.json.next"));
    scene.ill(1, Reach.GONE, "refused");
    pass(25);
    assertThat(states()).containsExactly(Alert.State.FIRING);
    assertThat(alerts.snapshot().trouble()).contains("mammoth.console.dir");
    Files.delete(dir.resolve("alerts.json.next"));
    pass(15);
    assertThat(alerts.snapshot().trouble()).isEmpty();
    assertThat(dir.resolve("alerts.json")).exists();
  }

  @Test
  void aTestSaysWhatBecameOfIt() throws Exception {
    start();
    assertThat(alerts.test()).isEqualTo(Map.of("webhook", ""));
    assertThat(box.got.get(0).commonLabels()).containsEntry("alertname", "ConsoleTest");
    box.next = CompletableFuture.failedFuture(new IOException("http://test answers 500"));
    assertThat(alerts.test()).isEqualTo(Map.of("webhook", "http://test answers 500"));
  }
}
