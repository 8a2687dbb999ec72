// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.mammoth.api.status.OrderAnswer;
import org.mammoth.console.live.EngineLosses;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the engines of one node after the other, as after a change of configuration or of jars:
 * the next node's turn comes when the old engines of the last have ended and a new one has proved
 * itself: it has finished a task, or has lived for half a minute. Stops at the first trouble, so
 * that a bad configuration costs one node. A restart of the console forgets it; nothing is undone
 * by that. Any thread; {@link #see} is called once a second.
 */
public final class RollingRecycle {

  private static final Logger LOG = LoggerFactory.getLogger(RollingRecycle.class);

  /** By then a successor has started, or will not. */
  private static final long STARTS_MS = 120_000;

  /** With nothing to do a new engine is watched for so long. */
  private static final long PROVES_MS = 30_000;

  /** How a node is asked. */
  public interface Order {

    /** Replaces all engines of a node. */
    OrderAnswer recycle(String nodeManager, String user) throws OrderException;
  }

  /**
   * How far it is.
   *
   * @param rack only nodes of it; empty for all
   * @param current the node whose turn it is; empty if none's
   * @param doing what is waited for there
   * @param stopped why it went no further; empty if it goes on or has come to its end
   * @param endedMs 0 while it goes on
   */
  public record Progress(
      String user,
      String rack,
      long startedMs,
      List<String> done,
      String current,
      String doing,
      List<String> waiting,
      String stopped,
      long endedMs) {}

  private final Order order;
  private final Executor executor;
  private Progress progress;

  /** The engines of the current node that have to end; null until it has answered. */
  private Set<String> old;

  /** The same of each node whose turn was. */
  private final Map<String, Set<String>> replaced = new HashMap<>();

  private long goneMs;
  private long followsMs;
  private long readMs;

  /** Which node is asked: what a node says after the run that asked it was stopped is too late. */
  private int asks;

  /**
   * @param executor runs what waits for a node
   */
  public RollingRecycle(Order order, Executor executor) {
    this.order = order;
    this.executor = executor;
  }

  /** How far the last one is; null if none was started. */
  public synchronized Progress progress() {
    return progress;
  }

  /**
   * Begins.
   *
   * @param rack of which the nodes are; empty for all
   * @throws IllegalStateException if one goes on already, or there is no node with an engine
   */
  public synchronized Progress start(String user, String rack, Moment moment) {
    if (progress != null && progress.endedMs() == 0) {
      throw new IllegalStateException(
          "engines are being recycled node by node already, by " + progress.user());
    }
    List<String> nodes =
        moment.view().nodes().values().stream()
            .filter(node -> rack.isEmpty() || node.rack().equals(rack))
            .filter(node -> node.current() && node.sample() != null)
            .filter(node -> !node.sample().engines().isEmpty())
            .map(NodeState::id)
            .sorted(Comparator.naturalOrder())
            .toList();
    if (nodes.isEmpty()) {
      throw new IllegalStateException(
          "no node" + (rack.isEmpty() ? "" : " of rack " + rack) + " has an engine to replace");
    }
    LOG.info("{} recycles the engines of {} nodes, one by one", user, nodes.size());
    progress = new Progress(user, rack, moment.view().timeMs(), List.of(), "", "", nodes, "", 0);
    replaced.clear();
    old = null;
    return progress;
  }

  /** Goes on to no further node; what the current one was asked for goes on there. */
  public synchronized Progress stop(String user, Moment moment) {
    if (progress != null && progress.endedMs() == 0) {
      end("stopped by " + user, moment.view().timeMs());
    }
    return progress;
  }

  /** A second has passed. */
  public synchronized void see(Moment moment) {
    if (progress == null || progress.endedMs() != 0) {
      return;
    }
    String trouble = trouble(moment);
    if (!trouble.isEmpty()) {
      end(trouble, moment.view().timeMs());
    } else if (progress.current().isEmpty()) {
      next(moment);
    } else if (old != null) {
      look(moment);
    }
  }

  /** What is wrong with new engines, and with nodes that have some; empty if nothing is. */
  private String trouble(Moment moment) {
    for (EngineLosses.Loss loss : moment.lost()) {
      Set<String> before = loss.node().equals(progress.current()) ? old : replaced.get(loss.node());
      if (before != null
          && loss.atMs() >= progress.startedMs()
          && !before.contains(loss.engine())) {
        return "a new engine of " + loss.node() + " ended while it ran tasks";
      }
    }
    for (String done : progress.done()) {
      NodeState node = moment.view().nodes().get(done);
      String how = node == null ? "" : silence(node.reach());
      if (!how.isEmpty()) {
        return done + ", whose engines were replaced, " + how;
      }
    }
    return "";
  }

  private static String silence(NodeState.Reach reach) {
    return switch (reach) {
      case GONE -> "is unreachable";
      case REFUSED -> "refuses the console";
      case FOREIGN -> "answers in a way this console does not understand";
      default -> "";
    };
  }

  private void next(Moment moment) {
    if (progress.waiting().isEmpty()) {
      end("", moment.view().timeMs());
      return;
    }
    String id = progress.waiting().get(0);
    List<String> rest = progress.waiting().subList(1, progress.waiting().size());
    old = null;
    goneMs = 0;
    followsMs = 0;
    readMs = moment.view().timeMs();
    progress = with(progress.done(), id, "its NodeManager is asked", rest);
    NodeState node = moment.view().nodes().get(id);
    if (node == null || node.nodeManager() == null) {
      end(id + " is gone", moment.view().timeMs());
      return;
    }
    String user = progress.user();
    long nowMs = moment.view().timeMs();
    int ask = ++asks;
    executor.execute(() -> ask(ask, node, user, nowMs));
  }

  private void ask(int ask, NodeState node, String user, long nowMs) {
    try {
      List<String> engines = order.recycle(node.nodeManager(), user).engines();
      Set<String> drained = engines == null ? Set.of() : Set.copyOf(engines);
      synchronized (this) {
        if (isAwaited(ask)) {
          old = drained;
        }
      }
    } catch (OrderException | RuntimeException e) {
      LOG.debug("Asking {} failed", node.id(), e);
      synchronized (this) {
        if (isAwaited(ask)) {
          end(node.id() + ": " + (e instanceof OrderException ? e.getMessage() : e), nowMs);
        }
      }
    }
  }

  private boolean isAwaited(int ask) {
    return ask == asks && progress.endedMs() == 0;
  }

  private void look(Moment moment) {
    long now = moment.view().timeMs();
    NodeState node = moment.view().nodes().get(progress.current());
    String how = node == null ? "is unreachable" : silence(node.reach());
    if (!how.isEmpty()) {
      end(progress.current() + " " + how + " since its engines were recycled", now);
      return;
    }
    if (!node.current() || node.sample() == null) {
      if (now - readMs > STARTS_MS) {
        end(progress.current() + " has not answered since its engines were recycled", now);
      }
      return;
    }
    readMs = now;
    List<EngineSample> left =
        node.sample().engines().stream().filter(engine -> old.contains(engine.id())).toList();
    List<EngineSample> successors =
        node.sample().engines().stream()
            .filter(engine -> engine.open() && engine.told() && !old.contains(engine.id()))
            .toList();
    boolean follows = old.isEmpty() || !successors.isEmpty();
    if (!left.isEmpty()) {
      long tasks = left.stream().mapToLong(engine -> engine.counts().running()).sum();
      doing("its old engines end with the tasks they have: " + tasks);
    } else if (!follows) {
      followsMs = 0;
      goneMs = goneMs == 0 ? now : goneMs;
      doing("a new engine starts");
      if (now - goneMs > STARTS_MS) {
        end(progress.current() + " has no new engine; its NodeManager's log says why", now);
      }
    } else if (!proved(successors, now)) {
      doing("its new engine shows what it can do");
    } else {
      replaced.put(progress.current(), old);
      List<String> done = new ArrayList<>(progress.done());
      done.add(progress.current());
      progress = with(List.copyOf(done), "", "", progress.waiting());
    }
  }

  private boolean proved(List<EngineSample> successors, long now) {
    followsMs = followsMs == 0 ? now : followsMs;
    return old.isEmpty()
        || now - followsMs >= PROVES_MS
        || successors.stream().anyMatch(engine -> engine.counts().finished() > 0);
  }

  private void doing(String what) {
    progress = with(progress.done(), progress.current(), what, progress.waiting());
  }

  private Progress with(List<String> done, String current, String doing, List<String> waiting) {
    return new Progress(
        progress.user(),
        progress.rack(),
        progress.startedMs(),
        done,
        current,
        doing,
        waiting,
        progress.stopped(),
        progress.endedMs());
  }

  private void end(String why, long nowMs) {
    if (!why.isEmpty()) {
      LOG.warn("Recycling engines node by node goes no further: {}", why);
    }
    progress =
        new Progress(
            progress.user(),
            progress.rack(),
            progress.startedMs(),
            progress.done(),
            progress.current(),
            progress.doing(),
            progress.waiting(),
            why,
            Math.max(1, nowMs));
  }
}
