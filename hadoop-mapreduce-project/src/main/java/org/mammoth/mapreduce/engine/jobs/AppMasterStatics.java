// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;

/**
 * What of upstream's ApplicationMaster stays the process's though its static fields do not: the
 * environment, which web filters ask for far below anything that could be told otherwise. Hence a
 * host runs one job at a time.
 */
public final class AppMasterStatics {

  private final Field logSyncer;
  private final Map<String, String> environment;
  private final Map<String, String> environmentAtStart = Map.copyOf(System.getenv());

  /**
   * Finds the fields.
   *
   * @throws IllegalStateException if upstream's classes are not as expected; no host runs then
   */
  public AppMasterStatics() {
    try {
      logSyncer = open(MRAppMaster.class, "logSyncer");
      // Else the end of one would be taken for a test's and logged as an error.
      open(MRAppMaster.class, "mainStarted").set(null, true);
      environment = writableEnvironment();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "The ApplicationMaster's classes are not those of the Hadoop this was built for", e);
    }
  }

  private static Field open(Class<?> holder, String name) throws NoSuchFieldException {
    Field field = holder.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> writableEnvironment() throws ReflectiveOperationException {
    Map<String, String> readOnly = System.getenv();
    return (Map<String, String>) open(readOnly.getClass(), "m").get(readOnly);
  }

  /** Gives the JVM the environment of the next job, and nothing of the last. Only between jobs. */
  public void renew(Map<String, String> environmentOfNext) {
    environment.clear();
    environment.putAll(environmentAtStart);
    environment.putAll(environmentOfNext);
  }

  /** Ends the log flusher that upstream leaves to the end of the process. */
  public void stopLogSyncer(MRAppMaster master) {
    try {
      ((ScheduledExecutorService) logSyncer.get(master)).shutdownNow();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a field that was opened is closed", e);
    }
  }
}
