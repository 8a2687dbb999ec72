// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.mammoth.api.status.OrderAnswer;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the engines of one node after the other, as after a change of configuration or of jars:
 * the next node's turn comes when the old engines of the last have ended and a new one takes tasks.
 * Stops at the first trouble, so that a bad configuration costs one node. A restart of the console
 * forgets it; nothing is undone by that. Any thread; {@link #see} is called once a second.
 */
public final class RollingRecycle {

  private static final Logger LOG = LoggerFactory.getLogger(RollingRecycle.class);

  /** By then a successor has started, or will not. */
  private static final long STARTS_MS = 120_000;

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

  private long goneMs;

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
    for (String done : progress.done()) {
      NodeState node = moment.view().nodes().get(done);
      if (node != null && node.reach() == NodeState.Reach.GONE) {
        end(done + ", whose engines were replaced, is unreachable", moment.view().timeMs());
        return;
      }
    }
    if (progress.current().isEmpty()) {
      next(moment);
    } else if (old != null) {
      look(moment);
    }
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
    if (node == null || node.reach() == NodeState.Reach.GONE) {
      end(progress.current() + " is unreachable since its engines were recycled", now);
      return;
    }
    if (!node.current() || node.sample() == null) {
      return;
    }
    List<EngineSample> left =
        node.sample().engines().stream().filter(engine -> old.contains(engine.id())).toList();
    boolean follows =
        old.isEmpty()
            || node.sample().engines().stream()
                .anyMatch(engine -> engine.open() && engine.told() && !old.contains(engine.id()));
    if (!left.isEmpty()) {
      long tasks = left.stream().mapToLong(engine -> engine.counts().running()).sum();
      doing("its old engines end with the tasks they have: " + tasks);
    } else if (!follows) {
      goneMs = goneMs == 0 ? now : goneMs;
      doing("a new engine starts");
      if (now - goneMs > STARTS_MS) {
        end(progress.current() + " has no new engine; its NodeManager's log says why", now);
      }
    } else {
      List<String> done = new ArrayList<>(progress.done());
      done.add(progress.current());
      progress = with(List.copyOf(done), "", "", progress.waiting());
    }
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
