// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.mammoth.engine.concurrent.Outcome;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/**
 * The standing hosts of ApplicationMasters on this node: several for each user, as each runs one
 * job at a time. A job takes the first that has none, so that later ones are started, and stay,
 * only where a user's jobs overlap.
 *
 * <p>Thread-safe. Its lock is held for a choice only, never while a host is told or started.
 */
final class AppMasterHosts implements ContainerTaker {

  private record Seat(String user, EngineSupervisor host) {}

  /** The nth keeps the nth host of each user. */
  private final List<EngineSupervisor> ranks;

  @GuardedBy("this")
  private final Map<String, Seat> seats = new HashMap<>();

  /**
   * No host runs yet.
   *
   * @param ranks one supervisor for each host that a user may have, at least one
   */
  AppMasterHosts(List<EngineSupervisor> ranks) {
    this.ranks = List.copyOf(ranks);
  }

  /**
   * What names an ApplicationMaster across its attempts, whose containers have nothing in common.
   */
  static String application(String containerId) {
    return ContainerId.fromString(containerId)
        .getApplicationAttemptId()
        .getApplicationId()
        .toString();
  }

  @Override
  public CompletableFuture<ContainerExit> submit(String task, ContainerLaunchSpec spec)
      throws EngineUnavailableException {
    String container = spec.containerId();
    EngineSupervisor host = choose(container, spec.user());
    CompletableFuture<ContainerExit> end = null;
    try {
      end = host.submit(task, spec);
    } finally {
      if (end == null) {
        leave(container);
      }
    }
    return Outcome.handled(
            Objects.requireNonNull(end),
            "The end of " + container,
            (exit, failure) -> leave(container))
        .toCompletableFuture();
  }

  private synchronized EngineSupervisor choose(String container, String user)
      throws EngineUnavailableException {
    for (EngineSupervisor host : ranks) {
      if (!seats.containsValue(new Seat(user, host)) && !runsJobOf(host, user)) {
        seats.put(container, new Seat(user, host));
        return host;
      }
    }
    throw new EngineUnavailableException(
        "each of the "
            + ranks.size()
            + " hosts of "
            + user
            + " on this node has a job ("
            + EngineKeys.APP_MASTER_HOSTS.name()
            + ")");
  }

  /** One that an earlier NodeManager handed over has no seat here. */
  private static boolean runsJobOf(EngineSupervisor host, String user) {
    return host.engines().stream()
        .anyMatch(
            each -> each.isOpen() && each.user().equals(user) && each.waitingContainers() > 0);
  }

  private synchronized void leave(String container) {
    seats.remove(container);
  }

  boolean signal(String containerId, int signal) {
    return ranks.stream().anyMatch(host -> host.signal(containerId, signal));
  }

  boolean holds(String containerId) {
    return ranks.stream().anyMatch(host -> host.holds(containerId));
  }

  /** See {@link EngineSupervisor#reattach}. */
  Optional<CompletableFuture<ContainerExit>> reattach(
      String containerId, String user, long memoryMb) {
    return ranks.stream()
        .map(host -> host.reattach(containerId, user, memoryMb))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** All hosts that have not ended. */
  List<EngineHandle> engines() {
    return ranks.stream().flatMap(host -> host.engines().stream()).toList();
  }

  /** See {@link EngineSupervisor#drain}. */
  List<EngineHandle> drain(Predicate<EngineHandle> which, String reason) {
    List<EngineHandle> drained = new ArrayList<>();
    forEach(host -> drained.addAll(host.drain(which, reason)));
    return drained;
  }

  /** Starts a host in the place of one that drains. */
  void replace(EngineHandle old) {
    ranks.stream().filter(host -> host.isOwn(old)).forEach(host -> host.prepare(old.user()));
  }

  /** Does something with all hosts, such as to recover or to end them. */
  void forEach(Consumer<EngineSupervisor> work) {
    ranks.forEach(work);
  }
}
