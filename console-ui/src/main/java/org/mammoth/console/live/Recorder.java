package org.mammoth.console.live;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.mammoth.console.model.Decision;
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
  private volatile Moment moment = Moment.of(0, org.mammoth.console.read.ClusterView.EMPTY);
  private volatile String trouble = "";
  private long lastMs;

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

  /** One second has passed. */
  public void second() {
    Moment now = Moment.of(moment.sequence() + 1, watch.view());
    moment = now;
    record(now);
    listeners.forEach(listener -> listener.accept(now));
  }

  private void record(Moment now) {
    // The clock never goes back, but more than one call may fall into a second.
    long second = now.view().timeMs() / 1000 * 1000;
    try {
      if (second > lastMs) {
        lastMs = second;
        history.append(second, now.historyRows());
      }
      for (Map.Entry<String, List<Decision>> node : watch.takeDecisions().entrySet()) {
        decisions.append(now.view().timeMs(), node.getKey(), node.getValue());
      }
      trouble = "";
    } catch (IOException e) {
      if (trouble.isEmpty()) {
        LOG.error("History is not written (mammoth.console.dir)", e);
      }
      trouble = "History is not written: " + e.getMessage();
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
