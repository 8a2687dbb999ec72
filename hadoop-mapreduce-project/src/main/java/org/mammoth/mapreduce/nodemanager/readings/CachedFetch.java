// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * A value from elsewhere, fetched when somebody asks and kept for a short time, so that many
 * readers cost one fetch. At most one fetch goes on at a time; nobody waits for it beyond its
 * deadline, and those who ask after that get the last value at once. Thread-safe.
 *
 * @param <T> the value
 */
final class CachedFetch<T> {

  /**
   * What is known.
   *
   * @param value the last one fetched, null if there never was one
   * @param ageMs since it was fetched, -1 if it never was
   * @param problem why it is not fresh, empty if it is
   */
  record Known<T>(T value, long ageMs, String problem) {}

  private final Callable<T> source;
  private final Executor executor;
  private final LongSupplier nanos;
  private final long freshNanos;
  private final long deadlineNanos;

  @GuardedBy("this")
  private T value;

  @GuardedBy("this")
  private boolean valued;

  @GuardedBy("this")
  private long valueNanos;

  @GuardedBy("this")
  private long triedNanos;

  @GuardedBy("this")
  private String problem = "nothing was fetched yet";

  @GuardedBy("this")
  private CompletableFuture<Void> fetch;

  @GuardedBy("this")
  private boolean fetching;

  /**
   * @param source may block; called on the executor's threads
   * @param nanos as of {@link System#nanoTime}
   * @param freshMs how long a value, or a failure, is good for
   * @param deadlineMs how long after a fetch began somebody may wait for it
   */
  CachedFetch(
      Callable<T> source, Executor executor, LongSupplier nanos, long freshMs, long deadlineMs) {
    this.source = source;
    this.executor = executor;
    this.nanos = nanos;
    this.freshNanos = TimeUnit.MILLISECONDS.toNanos(freshMs);
    this.deadlineNanos = TimeUnit.MILLISECONDS.toNanos(deadlineMs);
  }

  /** Begins to fetch if what is known is too old; does not wait. */
  synchronized void begin() {
    long now = nanos.getAsLong();
    if (fetching || fetch != null && now - triedNanos < freshNanos) {
      return;
    }
    fetching = true;
    triedNanos = now;
    CompletableFuture<Void> mine = new CompletableFuture<>();
    fetch = mine;
    try {
      executor.execute(() -> run(mine));
    } catch (RejectedExecutionException e) {
      ended(mine, null, "the NodeManager is stopping");
    } catch (RuntimeException | Error e) {
      // No thread, for one. The next one that asks tries again.
      if (mine.isDone()) {
        throw e;
      }
      ended(mine, null, "nobody could read it: " + e);
    }
  }

  private void run(CompletableFuture<Void> mine) {
    T got = null;
    String why = "its reader died, see the log";
    try {
      got = source.call();
      why = "";
    } catch (Exception e) {
      why = String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
    } finally {
      // After an Error, too: a fetch that never ends would be the last one.
      ended(mine, got, why);
    }
  }

  private synchronized void ended(CompletableFuture<Void> mine, T got, String why) {
    problem = why;
    if (why.isEmpty()) {
      value = got;
      valued = true;
      valueNanos = nanos.getAsLong();
    }
    fetching = false;
    triedNanos = nanos.getAsLong();
    mine.complete(null);
  }

  /** What is known, after waiting for a fetch as long as its deadline allows. */
  Known<T> read() {
    begin();
    CompletableFuture<Void> awaited;
    long left;
    synchronized (this) {
      awaited = fetch;
      left = fetching ? triedNanos + deadlineNanos - nanos.getAsLong() : 0;
    }
    if (left > 0) {
      await(awaited, left);
    }
    return known();
  }

  private static void await(CompletableFuture<Void> fetch, long nanos) {
    try {
      fetch.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      // The reader gets what is known, with its age.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the end of a fetch is never a failure", e);
    }
  }

  private synchronized Known<T> known() {
    long ageMs = valued ? TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - valueNanos) : -1;
    if (!fetching) {
      return new Known<>(value, ageMs, problem);
    }
    long sinceMs = TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - triedNanos);
    return new Known<>(value, ageMs, "it has not answered for " + sinceMs + " ms");
  }
}
