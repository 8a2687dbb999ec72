// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.model.Decision;
import org.mammoth.console.read.ClusterView;
import org.mammoth.console.read.ClusterWatch;
import org.mammoth.console.store.DecisionStore;
import org.mammoth.console.store.History;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Once a second: looks at the cluster, writes history, tells those who listen. One thread calls
 * {@link #second}; the moment may be read by any.
 */
public final class Recorder {

  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

  private final SteadyClock clock;
  private final ClusterWatch watch;
  private final History history;
  private final DecisionStore decisions;
  private final List<Consumer<Moment>> listeners = new CopyOnWriteArrayList<>();
  private volatile Moment moment = Moment.of(0, ClusterView.EMPTY);
  private volatile String trouble = "";
  private final EngineLosses losses = new EngineLosses();
  private long lastMs;
  private long troubleMs;

  /** Records what {@code watch} sees. */
  public Recorder(ClusterWatch watch, History history, DecisionStore decisions, SteadyClock clock) {
    this.clock = clock;
    this.watch = watch;
    this.history = history;
    this.decisions = decisions;
  }

  /** Listeners are called on the thread that calls {@link #second}, and must be quick. */
  public void listen(Consumer<Moment> listener) {
    listeners.add(listener);
  }

  private Moment look() {
    ClusterView view = watch.view();
    return Moment.of(moment.sequence() + 1, view, losses.see(view));
  }

  /** One second has passed. */
  public void second() {
    Moment now = look();
    moment = now;
    record(now);
    listeners.forEach(listener -> listener.accept(now));
  }

  private void record(Moment now) {
    // The clock never goes back, but more than one call may fall into a second.
    long second = now.view().timeMs() / 1000 * 1000;
    IOException failure = null;
    if (second > lastMs) {
      lastMs = second;
      try {
        history.append(second, now.historyRows());
      } catch (IOException e) {
        failure = e;
      }
    }
    // Taken in any case: what cannot be written must not pile up.
    for (Map.Entry<String, List<Decision>> node : watch.takeDecisions().entrySet()) {
      try {
        decisions.append(now.view().timeMs(), node.getKey(), node.getValue());
      } catch (IOException e) {
        failure = e;
      }
    }
    note(failure, second);
  }

  private void note(IOException failure, long second) {
    if (failure != null) {
      if (trouble.isEmpty()) {
        troubleMs = second;
        LOG.error("History is not written (" + ConsoleKeys.DIRECTORY + ")", failure);
      }
      trouble =
          "History is not written since "
              + Instant.ofEpochMilli(troubleMs)
              + " ("
              + ConsoleKeys.DIRECTORY
              + "): "
              + failure.getMessage();
    } else if (!trouble.isEmpty()) {
      LOG.info("History is written again; it lacks {} s", (second - troubleMs) / 1000);
      trouble = "";
    }
  }

  /** The last second's moment. */
  public Moment moment() {
    return moment;
  }

  /**
   * Why history is not written at present, and what is wrong with the clock; empty if all is well.
   */
  public String trouble() {
    return (trouble + " " + clock.notice()).strip();
  }
}
