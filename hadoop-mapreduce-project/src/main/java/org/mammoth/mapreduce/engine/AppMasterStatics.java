package org.mammoth.mapreduce.engine;

import java.lang.reflect.Field;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl;

/**
 * What upstream's ApplicationMaster keeps for the life of its process, and a standing host must
 * renew for each: {@link TaskAttemptImpl} makes the launch context of containers once, with one
 * job's files and tokens. Hence a host runs one job at a time.
 */
final class AppMasterStatics {

  private final Field commonSpec;
  private final AtomicBoolean classPathKnown;
  private final Field logSyncer;

  /**
   * Finds the fields.
   *
   * @throws IllegalStateException if upstream's classes are not as expected; no host runs then
   */
  AppMasterStatics() {
    try {
      commonSpec = open(TaskAttemptImpl.class, "commonContainerSpec");
      classPathKnown =
          (AtomicBoolean) open(TaskAttemptImpl.class, "initialClasspathFlag").get(null);
      logSyncer = open(MRAppMaster.class, "logSyncer");
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

  /** Forgets the last job. Only between jobs. */
  void renew() {
    try {
      commonSpec.set(null, null);
      classPathKnown.set(false);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a field that was opened is closed", e);
    }
  }

  /** Ends the log flusher that upstream leaves to the end of the process. */
  void stopLogSyncer(MRAppMaster master) {
    try {
      ((ScheduledExecutorService) logSyncer.get(master)).shutdownNow();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a field that was opened is closed", e);
    }
  }
}
