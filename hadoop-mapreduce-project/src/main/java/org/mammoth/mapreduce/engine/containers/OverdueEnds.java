// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Notices containers whose end was decided long ago and is not reported, because one of their last
 * calls does not return: a connection of Hadoop's RPC client whose thread could not start leaves
 * its callers waiting for ever. A process would be over. Hooks of one that has ended by itself are
 * not meant: they go on until somebody kills it. Thread-safe.
 */
public final class OverdueEnds {

  /**
   * A process's shutdown hooks have 30 s each ({@code hadoop.service.shutdown.timeout}); closing
   * files and telling the ApplicationMaster are two.
   */
  static final Duration MAY_TAKE = Duration.ofSeconds(90);

  /** When a look first found a container's end decided, by the clock of the looks. */
  @GuardedBy("this")
  private final Map<HostedContainer, Long> since = new HashMap<>();

  /**
   * Looks at all that run.
   *
   * @param nowNanos as {@link System#nanoTime}
   * @return whose end has been due for too long
   */
  synchronized List<HostedContainer> look(List<HostedContainer> running, long nowNanos) {
    List<HostedContainer> ending = running.stream().filter(HostedContainer::isBeingEnded).toList();
    since.keySet().retainAll(ending);
    List<HostedContainer> found = new ArrayList<>();
    for (HostedContainer container : ending) {
      Long first = since.putIfAbsent(container, nowNanos);
      if (first != null && nowNanos - first > MAY_TAKE.toNanos()) {
        found.add(container);
      }
    }
    return found;
  }
}
