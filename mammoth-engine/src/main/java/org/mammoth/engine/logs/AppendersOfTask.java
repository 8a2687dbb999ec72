// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.logs;

import java.util.Collections;
import java.util.Enumeration;
import org.apache.log4j.Appender;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.helpers.AppenderAttachableImpl;
import org.apache.log4j.spi.LoggingEvent;

/**
 * The appenders of a logger as one task has them, once it has changed them: it may remove the
 * engine's, but not close them. Stateless.
 */
public final class AppendersOfTask {
  private AppendersOfTask() {}

  /** A list of the same appenders, which a task may change. */
  public static AppenderAttachableImpl copyOf(AppenderAttachableImpl shared) {
    AppenderAttachableImpl copy = new AppenderAttachableImpl();
    Enumeration<?> all = shared.getAllAppenders();
    for (Object each : all == null ? Collections.emptyList() : Collections.list(all)) {
      copy.addAppender(new Borrowed((Appender) each));
    }
    return copy;
  }

  private static final class Borrowed extends AppenderSkeleton {
    private final Appender lender;

    Borrowed(Appender lender) {
      this.lender = lender;
      setName(lender.getName());
    }

    /** Not synchronized, as the parent's is: the lender has its own lock if it needs one. */
    @Override
    public void doAppend(LoggingEvent event) {
      append(event);
    }

    @Override
    protected void append(LoggingEvent event) {
      lender.doAppend(event);
    }

    @Override
    public void close() {
      closed = true;
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }
}
