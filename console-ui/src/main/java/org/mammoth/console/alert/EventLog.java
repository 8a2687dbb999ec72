// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.function.Predicate;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.model.Event;
import org.mammoth.console.store.EventStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what happens. What the disk does not take is lost, and the log says so once. Any
 * thread.
 */
public final class EventLog implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

  private final EventStore store;
  private final Clock clock;
  private long lastMs = Long.MIN_VALUE;
  private boolean failing;

  /**
   * @param clock never goes back
   */
  public EventLog(EventStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Writes an event down, as of now. */
  public synchronized void add(Event event) {
    lastMs = Math.max(lastMs, clock.millis());
    try {
      store.append(event.at(lastMs));
      if (failing) {
        failing = false;
        LOG.info("Events are written again");
      }
    } catch (IOException e) {
      if (!failing) {
        failing = true;
        LOG.error("Events are not written (" + ConsoleKeys.DIRECTORY + ")", e);
      }
    }
  }

  /** See {@link EventStore#read}. */
  public List<Event> read(long fromMs, long toMs, Predicate<Event> wanted, int limit) {
    return store.read(fromMs, toMs, wanted, limit);
  }

  @Override
  public synchronized void close() {
    store.close();
  }
}
