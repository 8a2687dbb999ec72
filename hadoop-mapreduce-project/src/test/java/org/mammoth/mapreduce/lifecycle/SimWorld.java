// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Threads that take turns, on a clock that moves when all of them wait: what happens follows from a
 * seed alone. Real threads run real blocking code, one at a time; whoever blocks other than here,
 * as on a lock that is held by a thread that waits, stops the world, which is noticed.
 */
public final class SimWorld implements Pace {

  private static final long STUCK_S = 30;

  private static final class Actor {
    private final Semaphore turn = new Semaphore(0);
    private Thread thread;
  }

  /** One wait of an actor, ended by whichever wake comes first; or an action. */
  private static final class Wake implements Comparable<Wake> {
    private final long at;
    private final long number;
    private final Wait wait;
    private final Runnable action;

    Wake(long at, long number, Wait wait, Runnable action) {
      this.at = at;
      this.number = number;
      this.wait = wait;
      this.action = action;
    }

    @Override
    public int compareTo(Wake other) {
      return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
    }
  }

  private static final class Wait {
    private final Actor actor;
    private boolean over;

    Wait(Actor actor) {
      this.actor = actor;
    }
  }

  private final PriorityQueue<Wake> wakes = new PriorityQueue<>();
  private final Semaphore idle = new Semaphore(0);
  private final ThreadLocal<Actor> current = new ThreadLocal<>();
  private final List<Actor> alive = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private long now;
  private long jumped;
  private long number;
  private boolean threadsGone;

  @Override
  public long nanos() {
    return now;
  }

  /** Milliseconds since the world began. */
  public long ms() {
    return TimeUnit.NANOSECONDS.toMillis(now);
  }

  /** The clock, and with it everything that waits, is late by so much at once. */
  public void jump(long ms) {
    now += TimeUnit.MILLISECONDS.toNanos(ms);
    jumped += TimeUnit.MILLISECONDS.toNanos(ms);
  }

  /** Whether new threads cannot be made. */
  public void threadsGone(boolean gone) {
    threadsGone = gone;
  }

  public boolean threadsGone() {
    return threadsGone;
  }

  /** Has something done after a while; it must not wait. */
  public void after(long ms, Runnable action) {
    wakes.add(new Wake(now + TimeUnit.MILLISECONDS.toNanos(ms), number++, null, action));
  }

  private void wakeAfter(long ms, Wait wait) {
    long at = ms == Long.MAX_VALUE ? Long.MAX_VALUE : now + TimeUnit.MILLISECONDS.toNanos(ms);
    wakes.add(new Wake(at, number++, wait, null));
  }

  @Override
  public void start(String name, Runnable work) {
    if (threadsGone) {
      throw new OutOfMemoryError("unable to create native thread (as told)");
    }
    begin(name, work);
  }

  /** As {@link #start}, whether or not there are threads. */
  public void begin(String name, Runnable work) {
    Actor actor = new Actor();
    Thread thread = new Thread(() -> live(actor, work), name);
    actor.thread = thread;
    thread.setDaemon(true);
    alive.add(actor);
    thread.start();
    wakeAfter(0, new Wait(actor));
  }

  private void live(Actor actor, Runnable work) {
    current.set(actor);
    actor.turn.acquireUninterruptibly();
    try {
      work.run();
    } catch (Throwable e) {
      failures.add(e);
    } finally {
      alive.remove(actor);
      idle.release();
    }
  }

  private void pass(Wait wait) {
    idle.release();
    wait.actor.turn.acquireUninterruptibly();
  }

  @Override
  public void sleep(long ms) {
    Wait wait = new Wait(current.get());
    wakeAfter(ms, wait);
    pass(wait);
  }

  @Override
  public <T> T await(CompletableFuture<T> result, long ms)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!result.isDone()) {
      Wait wait = new Wait(current.get());
      result.whenComplete((value, failure) -> wakeAfter(0, wait));
      if (ms < Long.MAX_VALUE) {
        wakeAfter(ms, wait);
      }
      pass(wait);
    }
    if (!result.isDone()) {
      throw new TimeoutException();
    }
    return result.get();
  }

  /** Lets everything happen until nothing is left that could, or until a moment, jumps apart. */
  public void run(long untilMs) throws InterruptedException {
    long until = TimeUnit.MILLISECONDS.toNanos(untilMs);
    while (!wakes.isEmpty() && wakes.peek().at <= until + jumped && failures.isEmpty()) {
      Wake next = wakes.poll();
      now = Math.max(now, next.at);
      if (next.action != null) {
        next.action.run();
      } else if (!next.wait.over) {
        next.wait.over = true;
        next.wait.actor.turn.release();
        if (!idle.tryAcquire(STUCK_S, TimeUnit.SECONDS)) {
          throw new AssertionError(
              "a thread waits outside the simulation, as under a lock that one that waits holds: "
                  + List.of(next.wait.actor.thread.getStackTrace()));
        }
      }
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("a thread ended with " + failures.get(0), failures.get(0));
    }
  }

  /** Names of the threads that have not ended. */
  public List<String> alive() {
    return alive.stream().map(actor -> actor.thread.getName()).toList();
  }
}
