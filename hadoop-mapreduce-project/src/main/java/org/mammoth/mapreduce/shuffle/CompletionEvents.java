// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.function.Consumer;
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

  private final MapEvents.Reader events;
  private final int most;
  private int next;
  private int failedQuestions;

  /**
   * From the first event on.
   *
   * @param reduces of the job, which all ask
   */
  CompletionEvents(MapEvents.Reader events, int reduces) {
    this.events = events;
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
   * upstream's {@code EventFetcher}.
   *
   * @return milliseconds until it is worth while to look again
   * @throws IOException if it has not answered for too long
   */
  int pass(Consumer<TaskCompletionEvent> to) throws IOException {
    try {
      TaskCompletionEvent[] found;
      do {
        found = next();
        for (TaskCompletionEvent event : found) {
          to.accept(event);
        }
      } while (found.length == most);
      failedQuestions = 0;
      return (int) events.pauseMs();
    } catch (IOException e) {
      failedQuestions++;
      if (failedQuestions >= QUESTIONS_THAT_MAY_FAIL) {
        throw new IOException("too many failures downloading events of completed maps", e);
      }
      LOG.info("The ApplicationMaster does not tell which maps have completed; asked again", e);
      return PAUSE_AFTER_FAILURE_MS;
    }
  }

  /** The next ones, none if there are none yet. */
  TaskCompletionEvent[] next() throws IOException {
    MapTaskCompletionEventsUpdate update = events.next(next, most);
    TaskCompletionEvent[] found = update.getMapTaskCompletionEvents();
    next = found.length + (update.shouldReset() ? 0 : next);
    return found;
  }
}
