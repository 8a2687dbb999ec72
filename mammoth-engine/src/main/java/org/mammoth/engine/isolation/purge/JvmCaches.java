// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.purge;

import java.net.URLConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What the JDK keeps for all of a JVM unless it is told not to. Stateless. */
public final class JvmCaches {
  private JvmCaches() {}

  /**
   * Has jar URLs open a file of their own each time, as of the JDK's open jars one task would close
   * another's, or read what is no longer there. For a JVM's start.
   */
  public static void switchOff() {
    URLConnection.setDefaultUseCaches("jar", false);
  }

  /**
   * Has the JDK make the one thread by which its futures time out. It would be of the task that
   * first needs it, act for that one whoever's future it completes, and keep it from ending. For a
   * JVM's start, on a thread of no task.
   */
  public static void startThreads() {
    CompletableFuture.delayedExecutor(0, TimeUnit.NANOSECONDS, Runnable::run).execute(() -> {});
  }
}
