// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What a process does when it ends: shutdown hooks, then {@code deleteOnExit} files. The JVM keeps
 * one such list for all of its life, which in an engine would both run too late and hold every
 * task's classes.
 *
 * <p>Thread-safe. Same rules and messages as {@code Runtime.addShutdownHook}.
 */
final class ProcessEnd {
  /** How soon hooks are left alone after a kill. */
  private static final Duration LOOK = Duration.ofMillis(50);

  private final LongSupplier nanos;
  private final Set<Thread> hooks = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<File> deletions = new LinkedHashSet<>();
  private boolean begun;

  ProcessEnd(LongSupplier nanos) {
    this.nanos = nanos;
  }

  synchronized void add(Thread hook) {
    if (begun) {
      throw new IllegalStateException("Shutdown in progress");
    }
    if (hook.isAlive()) {
      throw new IllegalArgumentException("Hook already running");
    }
    if (!hooks.add(hook)) {
      throw new IllegalArgumentException("Hook previously registered");
    }
  }

  synchronized boolean remove(Thread hook) {
    if (begun) {
      throw new IllegalStateException("Shutdown in progress");
    }
    if (hook == null) {
      throw new NullPointerException();
    }
    return hooks.remove(hook);
  }

  synchronized void deleteAtEnd(File file) {
    if (begun) {
      throw new IllegalStateException("Shutdown in progress");
    }
    deletions.add(file);
  }

  /**
   * Starts all hooks at once and waits for them, then deletes files, last registered first.
   *
   * @param killed whether the process is killed: then it waits no longer, and deletes nothing
   * @return hooks that run on
   */
  List<Thread> run(BooleanSupplier killed) throws InterruptedException {
    List<Thread> running = new ArrayList<>();
    for (Thread hook : begin()) {
      try {
        hook.start();
        running.add(hook);
      } catch (IllegalThreadStateException alreadyStarted) {
        // The task started its own hook meanwhile; it counts as a thread like any other.
        continue;
      }
    }
    while (!running.isEmpty()) {
      running = Joiner.join(running, nanos.getAsLong() + LOOK.toNanos(), nanos);
      if (!running.isEmpty() && killed.getAsBoolean()) {
        return running;
      }
    }
    delete();
    return List.of();
  }

  private synchronized List<Thread> begin() {
    begun = true;
    List<Thread> all = new ArrayList<>(hooks);
    hooks.clear();
    return all;
  }

  private void delete() {
    List<File> files;
    synchronized (this) {
      files = new ArrayList<>(deletions);
      deletions.clear();
    }
    Collections.reverse(files);
    files.forEach(File::delete);
  }

  /** Forgets everything unrun, as {@code halt} does. */
  synchronized void forget() {
    begun = true;
    hooks.clear();
    deletions.clear();
  }
}
