// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.fleet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Takes hosts in batches, all of a batch at once, and stops at the first batch with trouble. One
 * thread calls it; it has a thread for each host of a batch.
 */
public final class Rollout {

  /** What is done on one host. */
  public interface Visit {
    /**
     * Visits a host.
     *
     * @param isFirst whether it is the first of its batch
     */
    Remote.Answer go(String host, boolean isFirst) throws IOException, InterruptedException;
  }

  private Rollout() {}

  /**
   * Visits hosts.
   *
   * @param goOn whether the next batch follows one with trouble
   * @return answers by host, of those that were visited
   */
  public static Map<String, Remote.Answer> visit(
      List<String> hosts, int batch, boolean goOn, Visit visit) throws InterruptedException {
    Map<String, Remote.Answer> answers = new TreeMap<>();
    for (List<String> group : Hosts.batches(hosts, batch)) {
      List<Remote.Answer> ofGroup = all(group, visit);
      ofGroup.forEach(answer -> answers.put(answer.host(), answer));
      if (!goOn && ofGroup.stream().anyMatch(answer -> answer.status() != 0)) {
        break;
      }
    }
    return answers;
  }

  private static List<Remote.Answer> all(List<String> group, Visit visit)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(group.size());
    try {
      List<Future<Remote.Answer>> futures = new ArrayList<>();
      for (String host : group) {
        boolean isFirst = host.equals(group.get(0));
        futures.add(threads.submit(() -> visit.go(host, isFirst)));
      }
      List<Remote.Answer> answers = new ArrayList<>();
      for (int i = 0; i < group.size(); i++) {
        answers.add(get(group.get(i), futures.get(i)));
      }
      return answers;
    } finally {
      threads.shutdownNow();
    }
  }

  private static Remote.Answer get(String host, Future<Remote.Answer> future)
      throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      return new Remote.Answer(host, 1, List.of(String.valueOf(e.getCause().getMessage())));
    }
  }
}
