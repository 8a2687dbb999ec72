// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hooks that one process has given to Hadoop's ShutdownHookManager: run one after another, the
 * highest priority first, whatever becomes of those before. Thread-safe.
 */
final class OrderedHooks implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(OrderedHooks.class);

  private record Hook(Runnable code, int priority) {}

  private final List<Hook> hooks = new ArrayList<>();

  synchronized void add(Runnable code, int priority) {
    remove(code);
    hooks.add(new Hook(code, priority));
  }

  synchronized boolean remove(Runnable code) {
    return hooks.removeIf(hook -> hook.code.equals(code));
  }

  synchronized boolean has(Runnable code) {
    return hooks.stream().anyMatch(hook -> hook.code.equals(code));
  }

  synchronized boolean isEmpty() {
    return hooks.isEmpty();
  }

  synchronized void clear() {
    hooks.clear();
  }

  private synchronized List<Hook> inOrder() {
    List<Hook> ordered = new ArrayList<>(hooks);
    ordered.sort(Comparator.comparingInt(Hook::priority).reversed());
    return ordered;
  }

  @Override
  public void run() {
    for (Hook hook : inOrder()) {
      try {
        hook.code.run();
      } catch (RuntimeException | Error e) {
        LOG.warn("ShutdownHook '{}' failed, {}", hook.code.getClass().getSimpleName(), e, e);
      }
    }
  }
}
