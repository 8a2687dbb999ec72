// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.console.config.AlertKeys;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.Event;
import org.mammoth.console.model.Event.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All alerts: judged once a second, kept over restarts, acknowledged and muted by administrators,
 * and told of by the channels that are configured. {@link #second} is called by one thread, all
 * else by any.
 */
public final class Alerts implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Alerts.class);
  private static final long SAVE_AGAIN_MS = 10_000;
  private static final long FINISH_MS = 2_000;
  private static final long TEST_SECONDS = 30;

  private final List<AlertRule> rules;
  private final AlertBook book;
  private final StateFile file;
  private final EventLog events;
  private final ClusterEvents changes;
  private final Clock clock;
  private final Supplier<String> externalUrl;
  private final List<Notifier> notifiers = new ArrayList<>();
  private final List<Mute> mutes = new ArrayList<>();
  private final Map<String, String> names = new HashMap<>();
  private boolean unsaved;
  private long savedMs;
  private String trouble = "";
  private volatile String failure = "";

  /**
   * Takes over what an earlier process left in {@code dir}.
   *
   * @param clock never goes back
   * @param address where the console listens, for notifications
   * @throws IllegalArgumentException naming the key that has a value it must not have
   */
  public Alerts(
      Configuration conf, Path dir, EventLog events, Clock clock, Supplier<String> address)
      throws IOException {
    this(conf, dir, events, clock, address, Channels.of(conf));
  }

  Alerts(
      Configuration conf,
      Path dir,
      EventLog events,
      Clock clock,
      Supplier<String> address,
      List<Channel> channels)
      throws IOException {
    this.events = events;
    this.clock = clock;
    rules = AlertRules.of(conf);
    book = new AlertBook(1000 * AlertKeys.RESOLVE.get(conf));
    changes = new ClusterEvents(events);
    file = new StateFile(dir.resolve("alerts.json"));
    String url = AlertKeys.EXTERNAL_URL.get(conf);
    externalUrl = url.isEmpty() ? address : () -> url.endsWith("/") ? url : url + "/";
    StateFile.State before = file.load();
    StateFile.State state = before.notAfter(clock.millis());
    // A second start must not make what is left of a mute longer once more.
    unsaved = !state.equals(before);
    book.restore(state.firing(), state.resolved());
    mutes.addAll(state.mutes());
    for (Alert alert : state.firing()) {
      String node = alert.label("node");
      if (node.contains(":")) {
        names.put(node.substring(0, node.lastIndexOf(':')), node);
      }
    }
    Notifier.Timing timing =
        new Notifier.Timing(
            1000 * AlertKeys.GROUP_WAIT.get(conf),
            1000 * AlertKeys.GROUP_INTERVAL.get(conf),
            1000 * AlertKeys.REPEAT_INTERVAL.get(conf));
    for (Channel channel : channels) {
      Map<String, Sent> last = state.sent().getOrDefault(channel.name(), Map.of());
      notifiers.add(new Notifier(channel, timing, externalUrl, last));
    }
  }

  /** Begins to tell. */
  public void start() throws Exception {
    for (Notifier notifier : notifiers) {
      notifier.channel().start();
    }
    events.add(Event.of(clock.millis(), Kind.CONSOLE_STARTED, "", "", "console started"));
  }

  /** One second has passed. Nothing that goes wrong here stops whoever calls. */
  public void second(Moment moment) {
    try {
      changes.see(moment);
      judge(moment);
      failure = "";
    } catch (RuntimeException e) {
      if (failure.isEmpty()) {
        LOG.error("Alerts could not be judged", e);
      }
      failure = "Alerts are not judged; the console's log says why: " + e;
    }
  }

  private synchronized void judge(Moment moment) {
    long now = moment.view().timeMs();
    Facts facts = new Facts(moment, names);
    Map<String, AlertRule> byName = new HashMap<>();
    List<AlertBook.Look> looks = new ArrayList<>();
    for (AlertRule rule : rules) {
      List<Finding> found = new ArrayList<>();
      rule.judge().look(facts, found::add);
      looks.add(new AlertBook.Look(rule, found));
      byName.put(rule.name(), rule);
    }
    List<Alert> changed =
        book.judge(
            now,
            looks,
            alert ->
                byName.containsKey(alert.rule())
                    && byName.get(alert.rule()).judge().unknown(facts, alert));
    for (Alert alert : changed) {
      boolean fires = alert.state() == Alert.State.FIRING;
      event(fires ? Kind.ALERT_FIRED : Kind.ALERT_RESOLVED, alert, alert.summary());
      unsaved = true;
    }
    unsaved |= mutes.removeIf(mute -> now >= mute.untilMs());
    Notifier.News news = new Notifier.News(book.firing(), quiet(now), book.resolved());
    for (Notifier notifier : notifiers) {
      unsaved |= notifier.second(now, news);
    }
    if (unsaved && (trouble.isEmpty() || now - savedMs >= SAVE_AGAIN_MS)) {
      save(now);
    }
  }

  private void event(Kind kind, Alert alert, String text) {
    events.add(
        new Event(
            0,
            kind,
            alert.severity().label(),
            alert.label("node"),
            alert.label("job"),
            alert.label("user"),
            alert.rule(),
            text));
  }

  private Set<String> quiet(long now) {
    Set<String> quiet = new HashSet<>();
    for (Alert alert : book.active()) {
      if (mutes.stream().anyMatch(mute -> mute.covers(alert, now))) {
        quiet.add(alert.fingerprint());
      }
    }
    return quiet;
  }

  private void save(long now) {
    savedMs = now;
    Map<String, Map<String, Sent>> sent = new TreeMap<>();
    notifiers.forEach(notifier -> sent.put(notifier.channel().name(), notifier.sent()));
    try {
      file.save(StateFile.State.of(book.firing(), book.resolved(), List.copyOf(mutes), sent));
      unsaved = false;
      trouble = "";
    } catch (IOException e) {
      if (trouble.isEmpty()) {
        LOG.error("The state of alerts is not on disk (" + ConsoleKeys.DIRECTORY + ")", e);
      }
      trouble =
          "The state of alerts is not on disk ("
              + ConsoleKeys.DIRECTORY
              + "), and would be lost with a"
              + " restart: "
              + Channels.text(e);
    }
  }

  /**
   * Somebody takes care of alerts that fire.
   *
   * @param fingerprint which one; all of the rule if empty
   * @return those that were acknowledged by this; none if there is none that fires
   */
  public synchronized List<Alert> acknowledge(
      String rule, String fingerprint, String user, String comment) {
    long now = clock.millis();
    List<Alert> taken = new ArrayList<>();
    for (Alert alert : book.firing()) {
      if (alert.rule().equals(rule)
          && (fingerprint.isEmpty() || alert.fingerprint().equals(fingerprint))) {
        taken.add(alert.acknowledged(new Acknowledgement(user, now, comment)));
      }
    }
    if (!taken.isEmpty()) {
      book.replace(taken);
      save(now);
      ordered(
          Kind.ALERT_ACKNOWLEDGED,
          taken.get(0).severity(),
          user,
          rule,
          taken.size() + (taken.size() == 1 ? " alert of " : " alerts of ") + rule);
    }
    return taken;
  }

  /**
   * Nobody is told of a rule's alerts for a time.
   *
   * @param labels those the alerts must have; of the whole rule if empty
   */
  public synchronized Mute mute(
      String rule, Map<String, String> labels, long forMs, String user, String comment) {
    long now = clock.millis();
    Mute mute =
        new Mute(
            UUID.randomUUID().toString(),
            rule,
            new TreeMap<>(labels),
            now,
            now + forMs,
            user,
            comment);
    mutes.add(mute);
    save(now);
    ordered(Kind.ALERT_MUTED, null, user, rule, words(mute));
    return mute;
  }

  /** Ends a mute; null if there is none of this id. */
  public synchronized Mute unmute(String id, String user) {
    for (Mute mute : mutes) {
      if (mute.id().equals(id)) {
        mutes.remove(mute);
        save(clock.millis());
        ordered(Kind.ALERT_UNMUTED, null, user, mute.rule(), words(mute));
        return mute;
      }
    }
    return null;
  }

  private static String words(Mute mute) {
    StringBuilder words = new StringBuilder(mute.rule());
    mute.labels()
        .forEach((name, value) -> words.append(" of ").append(name).append('=').append(value));
    return words.toString();
  }

  private void ordered(Kind kind, Severity severity, String user, String rule, String text) {
    events.add(
        new Event(0, kind, severity == null ? "" : severity.label(), "", "", user, rule, text));
  }

  /** The names of the rules that are on. */
  public Set<String> ruleNames() {
    Set<String> known = new HashSet<>();
    rules.forEach(rule -> known.add(rule.name()));
    return known;
  }

  /**
   * All there is to show.
   *
   * @param muted fingerprints of alerts that are muted
   * @param trouble why the state is not on disk, or alerts are not judged; empty if all is well
   */
  public record Snapshot(
      long timeMs,
      List<Alert> active,
      List<Alert> resolved,
      List<Mute> mutes,
      Set<String> muted,
      List<RuleView> rules,
      List<Delivery> deliveries,
      String trouble) {}

  /**
   * A rule, for people.
   *
   * @param forMs how long its condition has to hold
   * @param keys what changes it
   */
  public record RuleView(
      String name,
      Severity severity,
      String page,
      long forMs,
      String meaning,
      String remedy,
      List<String> keys) {}

  /** The alerts now. */
  public synchronized Snapshot snapshot() {
    long now = clock.millis();
    return new Snapshot(
        now,
        book.active(),
        book.resolved(),
        mutes.stream().filter(mute -> now < mute.untilMs()).toList(),
        quiet(now),
        rules.stream()
            .map(
                rule ->
                    new RuleView(
                        rule.name(),
                        rule.severity(),
                        rule.page(),
                        rule.forMs(),
                        rule.meaning(),
                        rule.remedy(),
                        rule.keys()))
            .toList(),
        notifiers.stream().map(Notifier::delivery).toList(),
        (failure + " " + trouble).strip());
  }

  /**
   * Sends a test by every channel and waits for what becomes of it, at most half a minute.
   *
   * @return why each channel failed, empty where it did not, by channel
   */
  public Map<String, String> test() throws InterruptedException {
    Map<String, CompletableFuture<Void>> going = new TreeMap<>();
    for (Notifier notifier : notifiers) {
      going.put(
          notifier.channel().name(),
          notifier.channel().send(Notification.test(clock.millis(), externalUrl.get())));
    }
    Map<String, String> outcomes = new TreeMap<>();
    for (Map.Entry<String, CompletableFuture<Void>> one : going.entrySet()) {
      try {
        one.getValue().get(TEST_SECONDS, TimeUnit.SECONDS);
        outcomes.put(one.getKey(), "");
      } catch (ExecutionException e) {
        outcomes.put(one.getKey(), Channels.text(e));
      } catch (TimeoutException e) {
        one.getValue().cancel(false);
        outcomes.put(one.getKey(), "no answer within " + TEST_SECONDS + " s; it may still arrive");
      }
    }
    return outcomes;
  }

  @Override
  public void close() throws Exception {
    synchronized (this) {
      for (Notifier notifier : notifiers) {
        unsaved |= notifier.finish(clock.millis(), FINISH_MS);
      }
      if (unsaved) {
        save(clock.millis());
      }
    }
    for (Notifier notifier : notifiers) {
      notifier.channel().close();
    }
  }
}
