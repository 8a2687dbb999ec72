// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on a reduce's inbox, and follows what becomes of maps, while the reduce's own thread merges
 * segments that are still at their sources. Begins where the shuffle's loop ends, and ends with
 * {@link #end} only. It asks the ApplicationMaster on a thread of its own, so that neither one that
 * is slow to answer nor something that fails keeps others from what the inbox holds. Should the
 * thread that works on it have to end before, the merge fails.
 */
final class EventFollower {

  private static final Logger LOG = LoggerFactory.getLogger(EventFollower.class);
  private static final int PAUSE_MS = 1_000;

  /** What else there is to do. */
  interface Work {

    /** Does it, and waits for it for a while if there is nothing. */
    void follow(int millis) throws InterruptedException;
  }

  /** What the ApplicationMaster tells of maps. */
  interface Events {

    /** Events that were not seen yet. */
    TaskCompletionEvent[] next() throws IOException;
  }

  private final Work work;
  private final Events events;
  private final Levitation levitation;
  private final Runnable alive;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread worker;
  private final Thread asker;

  /**
   * Begins to follow, on two threads of the calling task.
   *
   * @param events asked for on one thread, not the one of {@code work}
   * @param alive called now and then while the merge may wait for bytes: upstream's reduce reports
   *     while it fetches, too
   */
  EventFollower(String reduce, Work work, Events events, Levitation levitation, Runnable alive) {
    this.work = work;
    this.events = events;
    this.levitation = levitation;
    this.alive = alive;
    worker = thread(this::work, "levitation of " + reduce);
    asker = thread(this::ask, "events of maps for " + reduce);
  }

  private static Thread thread(Runnable what, String name) {
    Thread thread = new Thread(what, name);
    thread.setDaemon(true);
    return thread;
  }

  void start() {
    worker.start();
    asker.start();
  }

  private boolean hasEnded() {
    return over.getCount() == 0;
  }

  private void work() {
    try {
      while (!hasEnded()) {
        try {
          work.follow(PAUSE_MS);
          if (levitation.isWaitedFor()) {
            alive.run();
          }
        } catch (RuntimeException e) {
          LOG.warn("Something that was left for a merge to do has failed", e);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("Nothing is followed any more", e);
    } catch (Error e) {
      LOG.error("What a merge waits for is followed no more, and the merge fails", e);
    } finally {
      if (!hasEnded()) {
        // nobody works on the inbox any more: who waits for a range is told that none comes
        levitation.close();
      }
    }
  }

  private void ask() {
    boolean told = false;
    try {
      while (!over.await(PAUSE_MS, TimeUnit.MILLISECONDS)) {
        try {
          for (TaskCompletionEvent event : events.next()) {
            look(event);
          }
          told = false;
        } catch (IOException | RuntimeException e) {
          // a timeout is an InterruptedIOException, too: only end() ends this
          if (!told && !hasEnded()) {
            LOG.warn("The ApplicationMaster does not tell what became of maps", e);
          }
          told = true;
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("Nobody asks what becomes of maps any more", e);
    } catch (Error e) {
      LOG.error("What becomes of maps is not asked for any more while a merge goes on", e);
    }
  }

  private void look(TaskCompletionEvent event) {
    switch (event.getTaskStatus()) {
      case FAILED, KILLED, OBSOLETE, TIPFAILED ->
          levitation.obsolete(event.getTaskAttemptId().toString());
      default -> {
        // another attempt's bytes need not be the same: what has been merged stays
      }
    }
  }

  /** Ends it; what was left to do is not done. Any thread. */
  void end() {
    over.countDown();
    worker.interrupt();
    asker.interrupt();
  }
}
