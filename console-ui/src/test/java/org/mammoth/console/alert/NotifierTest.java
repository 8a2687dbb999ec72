// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When what is sent, on a clock of the test's own. */
class NotifierTest {

  /** Keeps what it is given, and does with it what the test says. */
  static final class Postbox implements Channel {
    final List<Notification> got = new ArrayList<>();
    CompletableFuture<Void> next = CompletableFuture.completedFuture(null);

    @Override
    public String name() {
      return "webhook";
    }

    @Override
    public String target() {
      return "http://test";
    }

    @Override
    public void start() {
      got.clear();
    }

    @Override
    public CompletableFuture<Void> send(Notification notification) {
      got.add(notification);
      return next;
    }

    @Override
    public void close() {
      got.clear();
    }
  }

  private static final Notifier.Timing TIMING = new Notifier.Timing(30_000, 300_000, 3_600_000);
  private final Postbox box = new Postbox();
  private Notifier notifier = new Notifier(box, TIMING, () -> "http://console/", Map.of());
  private final Map<String, Alert> firing = new LinkedHashMap<>();
  private final Set<String> quiet = new LinkedHashSet<>();
  private final List<Alert> resolved = new ArrayList<>();
  private long now = Scene.START;

  private static final AlertRule RULE =
      new AlertRule(
          "R", Severity.WARNING, "nodes", 0, "", "Do it.", List.of("k"), (facts, found) -> {});

  private void fire(String node) {
    Finding finding = new Finding(Map.of("node", node), node + " is ill", "No answer.", 0);
    firing.put(node, Alert.pending(RULE, finding, now).fired(now));
  }

  private void resolve(String node) {
    resolved.add(0, firing.remove(node).resolved(now));
  }

  /** Goes through seconds one by one; how many notifications were begun meanwhile. */
  private int pass(int seconds) {
    int before = box.got.size();
    for (int i = 0; i < seconds; i++) {
      now += 1000;
      notifier.second(now, new Notifier.News(List.copyOf(firing.values()), quiet, resolved));
    }
    return box.got.size() - before;
  }

  private Notification last() {
    return box.got.get(box.got.size() - 1);
  }

  private List<String> told() {
    return last().alerts().stream()
        .map(item -> item.status() + " " + item.labels().get("node"))
        .toList();
  }

  @Test
  void theFirstWaitsForMoreAndLaterOnesKeepADistance() {
    fire("a");
    assertThat(pass(20)).isZero();
    fire("b");
    assertThat(pass(10)).isOne();
    assertThat(told()).containsExactly("firing a", "firing b");
    fire("c");
    assertThat(pass(299)).isZero();
    assertThat(pass(5)).isOne();
    assertThat(told()).containsExactly("firing a", "firing b", "firing c");
    resolve("a");
    assertThat(pass(305)).isOne();
    assertThat(told()).containsExactly("firing b", "firing c", "resolved a");
    assertThat(last().status()).isEqualTo("firing");
    resolve("b");
    resolve("c");
    assertThat(pass(305)).isOne();
    assertThat(told()).containsExactlyInAnyOrder("resolved b", "resolved c");
    assertThat(last().status()).isEqualTo("resolved");
    assertThat(pass(8000)).isZero();
    // The same once more is a new group, which waits as the first did.
    fire("a");
    assertThat(pass(29)).isZero();
    assertThat(pass(1)).isOne();
  }

  @Test
  void whatGoesOnIsRepeatedUnlessItIsAcknowledgedOrMuted() {
    fire("a");
    assertThat(pass(40)).isOne();
    assertThat(pass(3600)).isOne();
    firing.computeIfPresent("a", (n, a) -> a.acknowledged(new Acknowledgement("ada", now, "")));
    assertThat(pass(8000)).isZero();
    firing.computeIfPresent("a", (n, a) -> a.acknowledged(null));
    quiet.add(firing.get("a").fingerprint());
    assertThat(pass(8000)).isZero();
    fire("b");
    assertThat(pass(10)).isOne();
    assertThat(told()).containsExactly("firing b");
    // Who was told of it is told of its end, too.
    resolve("a");
    assertThat(pass(400)).isOne();
    assertThat(told()).containsExactly("firing b", "resolved a");
  }

  @Test
  void nobodyIsToldOfWhatWasMutedBeforeOrOverInTime() {
    fire("a");
    quiet.add(firing.get("a").fingerprint());
    assertThat(pass(4000)).isZero();
    resolve("a");
    assertThat(pass(4000)).isZero();
    fire("b");
    assertThat(pass(20)).isZero();
    resolve("b");
    assertThat(pass(4000)).isZero();
  }

  @Test
  void whatFailsIsTriedAgainWithGrowingPausesAsItIsThen() {
    box.next = CompletableFuture.failedFuture(new IOException("http://test answers 503"));
    fire("a");
    List<Long> at = new ArrayList<>();
    for (int i = 0; i < 1200; i++) {
      if (pass(1) > 0) {
        at.add((now - Scene.START) / 1000);
      }
    }
    // Each pause is twice the one before, and no longer than the group's interval.
    assertThat(at).containsExactly(30L, 33L, 38L, 47L, 64L, 97L, 162L, 291L, 548L, 849L, 1150L);
    assertThat(notifier.delivery())
        .returns("http://test answers 503", Delivery::error)
        .returns(0L, Delivery::sent)
        .returns(11L, Delivery::failed);
    assertThat(notifier.delivery().failingMs()).isPositive();
    box.next = CompletableFuture.completedFuture(null);
    fire("b");
    assertThat(pass(310)).isOne();
    assertThat(told()).containsExactly("firing a", "firing b");
    assertThat(notifier.delivery())
        .returns("", Delivery::error)
        .returns(1L, Delivery::sent)
        .returns(0L, Delivery::failingMs);
  }

  @Test
  void oneThatDoesNotAnswerIsNotWaitedForAndNotPassed() {
    box.next = new CompletableFuture<>();
    fire("a");
    assertThat(pass(5000)).isOne();
    box.next.complete(null);
    assertThat(pass(2)).isZero();
    assertThat(notifier.sent()).containsKey("R");
  }

  @Test
  void whatIsDeliveredWhileTheConsoleEndsIsKnownToTheNext() {
    box.next = new CompletableFuture<>();
    fire("a");
    assertThat(pass(31)).isOne();
    assertThat(notifier.finish(now, 1)).isFalse();
    assertThat(notifier.sent()).isEmpty();
    box.next.complete(null);
    assertThat(notifier.finish(now, 60_000)).isTrue();
    assertThat(notifier.sent().get("R").firing()).hasSize(1);
  }

  @Test
  void aRestartSendsNothingAgainAndForgetsNoEnd() {
    fire("a");
    assertThat(pass(40)).isOne();
    notifier = new Notifier(box, TIMING, () -> "http://console/", notifier.sent());
    assertThat(pass(1000)).isZero();
    resolve("a");
    assertThat(pass(310)).isOne();
    assertThat(told()).containsExactly("resolved a");
  }

  @Test
  void aNotificationHasAHundredAlertsAndTheNextHasTheRest() {
    for (int i = 0; i < 130; i++) {
      fire("n" + i);
    }
    assertThat(pass(30)).isOne();
    assertThat(last().alerts()).hasSize(100);
    assertThat(last().truncatedAlerts()).isEqualTo(30);
    assertThat(pass(2)).isOne();
    assertThat(told()).contains("firing n100", "firing n129");
    assertThat(pass(1000)).isZero();
  }

  @Test
  void noEndIsLostWhereThereAreManyAlerts() {
    for (int i = 0; i < 250; i++) {
      fire("n" + i);
    }
    pass(40);
    resolve("n3");
    assertThat(pass(305)).isOne();
    assertThat(told()).contains("resolved n3");
    for (String node : List.copyOf(firing.keySet())) {
      resolve(node);
    }
    int before = box.got.size();
    assertThat(pass(310)).isEqualTo(3);
    assertThat(
            box.got.subList(before, before + 3).stream()
                .flatMap(notification -> notification.alerts().stream())
                .filter(item -> item.status().equals("resolved"))
                .map(item -> item.labels().get("node")))
        .hasSize(249)
        .doesNotHaveDuplicates();
    assertThat(notifier.sent()).isEmpty();
  }

  @Test
  void oneThatWaitsForTheSecondNotificationIsNotTakenForTold() {
    for (int i = 0; i < 120; i++) {
      fire("n" + i);
    }
    assertThat(pass(30)).isOne();
    assertThat(pass(1)).isOne();
    resolve("n119");
    assertThat(pass(305)).isOne();
    assertThat(told()).contains("resolved n119").hasSize(100);
    assertThat(last().truncatedAlerts()).isEqualTo(20);
  }
}
