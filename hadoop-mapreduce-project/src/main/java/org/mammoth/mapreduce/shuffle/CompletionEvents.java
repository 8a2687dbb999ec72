// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.mammoth.mapreduce.events.MapEvents;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has become of the maps of a job, asked for in order. One thread at a time, but for {@link
 * #onChange} and {@link #expect}.
 */
final class CompletionEvents {

  private static final Logger LOG = LoggerFactory.getLogger(CompletionEvents.class);

  /** How often, one time after the other, and how long before each new try: as upstream. */
  private static final int QUESTIONS_THAT_MAY_FAIL = 10;

  private static final int PAUSE_AFTER_FAILURE_MS = 5_000;

  /** Upstream's bounds of what one question to the ApplicationMaster may ask for. */
  private static final int FEWEST = 100;

  private static final int MOST = 10_000;
  private static final int ALL_REDUCES = 3_000_000;

  /** The ApplicationMaster has not answered for too long. */
  static final class UnansweredException extends IOException {

    private static final long serialVersionUID = 1L;

    UnansweredException(IOException last) {
      super("too many failures downloading events of completed maps", last);
    }
  }

  private final MapEvents.Reader events;
  private final LongSupplier millis;
  private final int most;
  private int next;
  private int failedQuestions;

  /** No question before, after one that has failed. */
  private long askAgainAt;

  /**
   * From the first event on.
   *
   * @param reduces of the job, which all ask
   * @param millis a clock that never goes back
   */
  CompletionEvents(MapEvents.Reader events, int reduces, LongSupplier millis) {
    this.events = events;
    this.millis = millis;
    this.most = Math.min(MOST, Math.max(FEWEST, ALL_REDUCES / Math.max(1, reduces)));
  }

  /** See {@link MapEvents.Reader#onChange}. */
  Runnable onChange(Runnable listener) {
    return events.onChange(listener);
  }

  /** See {@link MapEvents.Reader#expect}. */
  void expect(String map) {
    events.expect(TaskAttemptID.forName(map));
  }

  /**
   * Passes on what is new. An ApplicationMaster that does not answer is asked again, as by
   * upstream's {@code EventFetcher}; until then there is only what others are told.
   *
   * @return milliseconds until it is worth while to look again
   * @throws UnansweredException if it has not answered for too long
   */
  int pass(Consumer<TaskCompletionEvent> to) throws UnansweredException {
    long pause = failedQuestions == 0 ? 0 : askAgainAt - millis.getAsLong();
    try {
      TaskCompletionEvent[] found;
      do {
        found = pause > 0 ? take(events.seen(next, most)) : next();
        for (TaskCompletionEvent event : found) {
          to.accept(event);
        }
        if (found.length > 0 || events.hasAsked()) {
          failedQuestions = 0;
        }
      } while (found.length == most);
      return (int) (failedQuestions > 0 && pause > 0 ? pause : events.pauseMs());
    } catch (IOException e) {
      failedQuestions++;
      askAgainAt = millis.getAsLong() + PAUSE_AFTER_FAILURE_MS;
      if (failedQuestions >= QUESTIONS_THAT_MAY_FAIL) {
        throw new UnansweredException(e);
      }
      LOG.info("The ApplicationMaster does not tell which maps have completed; asked again", e);
      return PAUSE_AFTER_FAILURE_MS;
    }
  }

  /** The next ones, none if there are none yet. */
  TaskCompletionEvent[] next() throws IOException {
    return take(events.next(next, most));
  }

  private TaskCompletionEvent[] take(MapTaskCompletionEventsUpdate update) {
    TaskCompletionEvent[] found = update.getMapTaskCompletionEvents();
    next = found.length + (update.shouldReset() ? 0 : next);
    return found;
  }
}
