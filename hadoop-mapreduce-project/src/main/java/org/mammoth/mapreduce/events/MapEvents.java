// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.events;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.apache.hadoop.mapreduce.TaskID;

/**
 * The completion events of one job's maps, asked for once by an engine for all its reduces. It has
 * no thread: of the reduces that wait, one asks when it is time, with its own connection and in its
 * own name; the others read what it was told. When it fails, that is its own failure, and the next
 * one asks. A reduce that starts late reads what the others have read.
 *
 * <p>As in the ApplicationMaster, an event of a map makes the one that named its output before
 * obsolete. Any thread.
 */
public final class MapEvents {

  /** How long what is to come soon is waited for. */
  private static final long SOON = TimeUnit.MILLISECONDS.toNanos(1_000);

  /** One attempt's connection to the ApplicationMaster. */
  @FunctionalInterface
  public interface Master {
    /** Events from an index on, {@code most} at most. */
    MapTaskCompletionEventsUpdate ask(int from, int most) throws IOException;
  }

  private final int maps;
  private final LongSupplier nanoTime;
  private final AskingPace pace;
  private final List<TaskCompletionEvent> log = new ArrayList<>();
  private final Map<TaskID, Integer> successes = new HashMap<>();
  private final Set<TaskAttemptID> told = new HashSet<>();
  private final Map<String, String> urls = new HashMap<>();

  /** Attempts that are known to have ended, until when their events are waited for. */
  private final Map<TaskAttemptID, Long> expected = new HashMap<>();

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private boolean asking;
  private int epoch;
  private long asks;

  /**
   * Nothing is known yet.
   *
   * @param maps of the job
   * @param nanoTime a clock that never goes back
   */
  public MapEvents(int maps, LongSupplier nanoTime) {
    this.maps = maps;
    this.nanoTime = nanoTime;
    this.pace = new AskingPace(maps, nanoTime.getAsLong());
  }

  /** What one attempt reads, which may ask for all. */
  public Reader reader(Master master) {
    return new Reader(master);
  }

  /**
   * A map attempt has ended, as this engine knows by itself: its event will be there soon. Never
   * waits.
   */
  public void expect(TaskAttemptID map) {
    synchronized (this) {
      if (told.contains(map) || expected.containsKey(map)) {
        return;
      }
      long now = nanoTime.getAsLong();
      expected.put(map, now + SOON);
      pace.hint(now);
      notifyAll();
    }
    listeners.forEach(Runnable::run);
  }

  /** Questions asked so far. */
  public synchronized long asks() {
    return asks;
  }

  /**
   * Has {@code listener} called when there are more events, or it may be time to ask.
   *
   * @return ends that
   */
  public Runnable onChange(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** Whether others should look. */
  private synchronized boolean answered(int most, MapTaskCompletionEventsUpdate update) {
    asking = false;
    long now = nanoTime.getAsLong();
    if (update == null) {
      pace.quiet();
      notifyAll();
      return true;
    }
    if (update.shouldReset()) {
      epoch++;
      log.clear();
      successes.clear();
      told.clear();
    }
    TaskCompletionEvent[] events = update.getMapTaskCompletionEvents();
    for (TaskCompletionEvent event : events) {
      add(event);
    }
    expected.values().removeIf(until -> now - until >= 0);
    if (events.length >= most) {
      pace.more();
    } else if (!expected.isEmpty()) {
      pace.lively();
    } else if (successes.size() >= maps) {
      pace.done();
    } else if (events.length > 0) {
      pace.lively();
    } else {
      pace.quiet();
    }
    notifyAll();
    return events.length > 0 || update.shouldReset();
  }

  private void add(TaskCompletionEvent event) {
    TaskAttemptID attempt = event.getTaskAttemptId();
    Integer before = successes.remove(attempt.getTaskID());
    if (before != null) {
      TaskCompletionEvent old = log.get(before);
      log.set(before, copy(old, Status.OBSOLETE));
    }
    if (event.getTaskStatus() == Status.SUCCEEDED) {
      successes.put(attempt.getTaskID(), log.size());
    }
    log.add(copy(event, event.getTaskStatus()));
    told.add(attempt);
    expected.remove(attempt);
  }

  /** Of ten thousand maps on a few nodes, each node's address is kept once. */
  private TaskCompletionEvent copy(TaskCompletionEvent event, Status status) {
    String url = event.getTaskTrackerHttp();
    return new TaskCompletionEvent(
        event.getEventId(),
        event.getTaskAttemptId(),
        event.idWithinJob(),
        event.isMapTask(),
        status,
        url == null ? null : urls.computeIfAbsent(url, same -> same));
  }

  /** One attempt's view. For one thread, but that others may end its waiting. */
  public final class Reader {

    private final Master master;
    private int seenEpoch;
    private boolean hasAsked;

    private Reader(Master master) {
      this.master = master;
      synchronized (MapEvents.this) {
        seenEpoch = epoch;
      }
    }

    /**
     * Events from an index on, {@code most} at most; asks for more if there are none, it is time
     * and nobody else asks. Waits for nothing but the master's answer. An update that says so comes
     * after all events before were taken back: its own are the first.
     *
     * @throws IOException if the question failed; that of another reader goes to that one alone
     */
    public MapTaskCompletionEventsUpdate next(int from, int most) throws IOException {
      int at;
      hasAsked = false;
      synchronized (MapEvents.this) {
        boolean known = seenEpoch != epoch || from < log.size();
        if (known || asking || pace.untilDue(nanoTime.getAsLong()) > 0) {
          return known(from, most);
        }
        asking = true;
        asks++;
        at = log.size();
        pace.asked(nanoTime.getAsLong());
      }
      MapTaskCompletionEventsUpdate update = null;
      hasAsked = true;
      try {
        update = master.ask(at, most);
      } finally {
        if (answered(most, update)) {
          listeners.forEach(Runnable::run);
        }
      }
      synchronized (MapEvents.this) {
        return known(from, most);
      }
    }

    /** Whether the last call of {@link #next} asked the master. */
    public boolean hasAsked() {
      return hasAsked;
    }

    /** As {@link #next}, of what others have been told. */
    public MapTaskCompletionEventsUpdate seen(int from, int most) {
      hasAsked = false;
      synchronized (MapEvents.this) {
        return known(from, most);
      }
    }

    private MapTaskCompletionEventsUpdate known(int from, int most) {
      boolean reset = seenEpoch != epoch;
      seenEpoch = epoch;
      int first = reset ? 0 : Math.min(from, log.size());
      int end = Math.min(log.size(), first + most);
      return new MapTaskCompletionEventsUpdate(
          log.subList(first, end).toArray(new TaskCompletionEvent[0]), reset);
    }

    /** Milliseconds until there may be something to do, at least 1, at most 1000. */
    public long pauseMs() {
      synchronized (MapEvents.this) {
        long pause = asking ? pace.rest() : pace.untilDue(nanoTime.getAsLong());
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(pause + 999_999));
      }
    }

    /** Waits until there is something from an index on or it may be time to ask. */
    public void await(int from, long mostMs) throws InterruptedException {
      synchronized (MapEvents.this) {
        if (seenEpoch == epoch && from >= log.size()) {
          MapEvents.this.wait(Math.max(1, Math.min(mostMs, pauseMs())));
        }
      }
    }

    /** See {@link MapEvents#onChange}. */
    public Runnable onChange(Runnable listener) {
      return MapEvents.this.onChange(listener);
    }

    /** See {@link MapEvents#expect}. */
    public void expect(TaskAttemptID map) {
      MapEvents.this.expect(map);
    }
  }
}
