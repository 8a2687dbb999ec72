// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what one channel sends and when, rule by rule, as Alertmanager does for its groups: the
 * first notification waits for more, later ones keep a distance, what goes on firing is repeated.
 * What could not be delivered is tried again, with growing pauses, as it is then. It never waits:
 * what became of a try is looked at in a later second. One thread at a time.
 */
final class Notifier {

  private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);
  private static final long FIRST_PAUSE_MS = 2_000;
  private static final int MOST_DOUBLINGS = 20;

  private final Channel channel;
  private final Timing timing;
  private final Supplier<String> externalUrl;
  private final Map<String, Group> groups = new TreeMap<>();
  private long sent;
  private long failed;
  private long lastMs;
  private long failingMs;
  private String error = "";

  /** Times in milliseconds, as Alertmanager names them. */
  record Timing(long groupWaitMs, long groupIntervalMs, long repeatIntervalMs) {}

  /**
   * What there is to tell.
   *
   * @param firing all that fire, muted ones too
   * @param quiet fingerprints of those that are muted
   * @param resolved the last that were resolved
   */
  record News(List<Alert> firing, Set<String> quiet, List<Alert> resolved) {}

  private static final class Group {
    private Sent sent = new Sent(0, Map.of());
    private Map<String, Long> sending;
    private CompletableFuture<Void> going;
    private boolean more;
    private int tries;
    private long nextTryMs;
  }

  Notifier(Channel channel, Timing timing, Supplier<String> externalUrl, Map<String, Sent> before) {
    this.channel = channel;
    this.timing = timing;
    this.externalUrl = externalUrl;
    before.forEach(
        (rule, last) -> {
          Group group = new Group();
          group.sent = last;
          groups.put(rule, group);
        });
  }

  Channel channel() {
    return channel;
  }

  /**
   * A second has passed.
   *
   * @return whether something was delivered, so that {@link #sent} has changed
   */
  boolean second(long nowMs, News news) {
    Map<String, List<Alert>> firing = new HashMap<>();
    for (Alert alert : news.firing()) {
      firing.computeIfAbsent(alert.rule(), rule -> new ArrayList<>()).add(alert);
      groups.computeIfAbsent(alert.rule(), rule -> new Group());
    }
    boolean changed = false;
    for (Map.Entry<String, Group> entry : groups.entrySet()) {
      Group group = entry.getValue();
      changed |= took(entry.getKey(), group, nowMs);
      if (group.going == null) {
        consider(
            entry.getKey(), group, firing.getOrDefault(entry.getKey(), List.of()), nowMs, news);
      }
    }
    groups
        .values()
        .removeIf(
            group -> group.going == null && group.tries == 0 && group.sent.firing().isEmpty());
    return changed;
  }

  /**
   * Waits shortly for what is under way, so that what was delivered is known to be. For who ends.
   *
   * @return whether something was delivered
   */
  boolean finish(long nowMs, long waitMs) {
    boolean changed = false;
    for (Map.Entry<String, Group> entry : groups.entrySet()) {
      CompletableFuture<Void> going = entry.getValue().going;
      if (going != null) {
        // It ends as it ends: took() looks how.
        going
            .copy()
            .completeOnTimeout(null, waitMs, TimeUnit.MILLISECONDS)
            .exceptionally(failure -> null)
            .join();
        changed |= took(entry.getKey(), entry.getValue(), nowMs);
      }
    }
    return changed;
  }

  /** Looks what became of a try; whether it was delivered. */
  private boolean took(String rule, Group group, long nowMs) {
    if (group.going == null || !group.going.isDone()) {
      return false;
    }
    CompletableFuture<Void> done = group.going;
    group.going = null;
    try {
      done.join();
    } catch (CompletionException | java.util.concurrent.CancellationException e) {
      String why = Channels.text(e);
      failed++;
      long pause = FIRST_PAUSE_MS << Math.min(group.tries++, MOST_DOUBLINGS);
      group.nextTryMs = nowMs + Math.min(pause, timing.groupIntervalMs());
      error = why;
      if (failingMs == 0) {
        failingMs = nowMs;
        LOG.warn(
            "Alerts of {} were not delivered by {} to {}: {}. It is tried again",
            rule,
            channel.name(),
            channel.target(),
            why);
      }
      return false;
    }
    group.sent = new Sent(nowMs, group.sending);
    group.tries = 0;
    group.nextTryMs = 0;
    sent++;
    lastMs = nowMs;
    if (failingMs > 0) {
      LOG.info("Alerts are delivered by {} again", channel.name());
      failingMs = 0;
      error = "";
    }
    return true;
  }

  /** Sends what there is to tell of a rule, if it is time. */
  private void consider(String rule, Group group, List<Alert> firing, long nowMs, News news) {
    Map<String, Long> before = group.sent.firing();
    Story story = Story.of(firing, before, news.quiet());
    if (nowMs < group.nextTryMs || !isDue(group, story, nowMs)) {
      return;
    }
    List<Alert> ended = new ArrayList<>();
    for (Alert alert : news.resolved()) {
      if (alert.rule().equals(rule)
          && !story.still().contains(alert.fingerprint())
          && same(alert, before)) {
        ended.add(alert);
      }
    }
    if (story.told().isEmpty() && ended.isEmpty()) {
      // What was told of is forgotten: there is nothing left to say of it.
      group.sent = new Sent(group.sent.atMs(), story.now());
      return;
    }
    Batch batch = Batch.of(story.told(), ended, before);
    group.more = batch.more();
    group.sending = batch.sent(story.now(), before);
    int all = story.told().size() + ended.size();
    group.going =
        channel.send(
            Notification.of(
                rule,
                batch.alerts(),
                all - batch.alerts().size(),
                !story.told().isEmpty(),
                externalUrl.get()));
  }

  /**
   * What fits into one notification: first what nobody was told of.
   *
   * @param alerts that fire, and then those that have ended
   * @param leftFiring fingerprints of those that fire, are new, and have to wait for the next
   * @param leftEnded fingerprints of those that have ended and have to wait
   */
  private record Batch(List<Alert> alerts, Set<String> leftFiring, Set<String> leftEnded) {

    static Batch of(List<Alert> firing, List<Alert> ended, Map<String, Long> before) {
      List<Alert> fresh = firing.stream().filter(alert -> !same(alert, before)).toList();
      int ends = Math.min(ended.size(), Notification.MOST);
      int begins = Math.min(fresh.size(), Notification.MOST - ends);
      int rest = Notification.MOST - ends - begins;
      Set<String> leftFiring = fingerprints(fresh.subList(begins, fresh.size()));
      List<Alert> alerts = new ArrayList<>();
      for (Alert alert : firing) {
        boolean known = same(alert, before);
        if (known ? rest > 0 : !leftFiring.contains(alert.fingerprint())) {
          alerts.add(alert);
          rest -= known ? 1 : 0;
        }
      }
      alerts.addAll(ended.subList(0, ends));
      return new Batch(alerts, leftFiring, fingerprints(ended.subList(ends, ended.size())));
    }

    private static Set<String> fingerprints(List<Alert> alerts) {
      Set<String> all = new HashSet<>();
      alerts.forEach(alert -> all.add(alert.fingerprint()));
      return all;
    }

    boolean more() {
      return !leftFiring.isEmpty() || !leftEnded.isEmpty();
    }

    /** What will have been told of; the rest is still to be told, its end as well. */
    Map<String, Long> sent(Map<String, Long> now, Map<String, Long> before) {
      Map<String, Long> sent = new LinkedHashMap<>(now);
      sent.keySet().removeAll(leftFiring);
      leftEnded.forEach(fingerprint -> sent.put(fingerprint, before.get(fingerprint)));
      return sent;
    }
  }

  private boolean isDue(Group group, Story story, long nowMs) {
    Map<String, Long> before = group.sent.firing();
    if (before.isEmpty()) {
      return story.fresh() && nowMs - story.freshMs() >= timing.groupWaitMs();
    }
    long sinceMs = Math.max(0, nowMs - group.sent.atMs());
    boolean news = story.fresh() || !story.still().containsAll(before.keySet());
    return news && (group.more || sinceMs >= timing.groupIntervalMs())
        || story.open() && sinceMs >= timing.repeatIntervalMs();
  }

  private static boolean same(Alert alert, Map<String, Long> before) {
    return Long.valueOf(alert.firedMs()).equals(before.get(alert.fingerprint()));
  }

  /**
   * What a rule's firing alerts are to who was told of some before.
   *
   * @param told those to tell of: all that are not muted
   * @param now when each alert fired that is known of, once this is told
   * @param still those that were told of and go on firing
   * @param freshMs when the first fired that is to be told of and was not; the largest number if
   *     there is none
   * @param open whether one is neither muted nor acknowledged
   */
  private record Story(
      List<Alert> told, Map<String, Long> now, Set<String> still, long freshMs, boolean open) {

    static Story of(List<Alert> firing, Map<String, Long> before, Set<String> quiet) {
      List<Alert> told = new ArrayList<>();
      Map<String, Long> now = new LinkedHashMap<>();
      Set<String> still = new HashSet<>();
      long freshMs = Long.MAX_VALUE;
      boolean open = false;
      for (Alert alert : firing) {
        boolean known = same(alert, before);
        boolean muted = quiet.contains(alert.fingerprint());
        boolean cared = muted || alert.acknowledged() != null;
        if (known) {
          still.add(alert.fingerprint());
        }
        // One that was told of before it was muted is kept: its end is told, too.
        if (known || !muted) {
          now.put(alert.fingerprint(), alert.firedMs());
        }
        if (!muted) {
          told.add(alert);
        }
        open |= !cared;
        freshMs = known || cared ? freshMs : Math.min(freshMs, alert.firedMs());
      }
      return new Story(told, now, still, freshMs, open);
    }

    boolean fresh() {
      return freshMs < Long.MAX_VALUE;
    }
  }

  /** What was delivered last, by rule. */
  Map<String, Sent> sent() {
    Map<String, Sent> all = new TreeMap<>();
    groups.forEach(
        (rule, group) -> {
          if (!group.sent.firing().isEmpty()) {
            all.put(rule, group.sent);
          }
        });
    return all;
  }

  Delivery delivery() {
    return new Delivery(channel.name(), channel.target(), sent, failed, lastMs, failingMs, error);
  }
}
