package org.mammoth.mapreduce.engine;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryEventHandler;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.mapreduce.v2.app.job.impl.TaskAttemptImpl;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * What upstream's ApplicationMaster keeps for the life of its process, and a standing host must
 * renew for each: {@link TaskAttemptImpl} makes the launch context of containers once, with one
 * job's files and tokens, and asks for containers of one job's sizes; the environment is the
 * process's. Hence a host runs one job at a time.
 */
final class AppMasterStatics {

  private final Field commonSpec;
  private final AtomicBoolean classPathKnown;
  private final Field logSyncer;
  private final Map<?, ?> resourceRequests;
  private final Map<JobId, ?> histories;
  private final Map<String, String> environment;

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
      resourceRequests =
          (Map<?, ?>) open(TaskAttemptImpl.class, "RESOURCE_REQUEST_CACHE").get(null);
      histories = historiesOfAllJobs();
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
  private static Map<JobId, ?> historiesOfAllJobs() throws ReflectiveOperationException {
    return (Map<JobId, ?>) open(JobHistoryEventHandler.class, "fileMap").get(null);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> writableEnvironment() throws ReflectiveOperationException {
    Map<String, String> readOnly = System.getenv();
    return (Map<String, String>) open(readOnly.getClass(), "m").get(readOnly);
  }

  /**
   * Forgets the last job and gives the JVM the environment of the next: upstream's web filters ask
   * for it far below anything that could be told otherwise. Only between jobs.
   */
  void renew(Map<String, String> environmentOfNext) {
    environment.putAll(environmentOfNext);
    resourceRequests.clear();
    try {
      commonSpec.set(null, null);
      classPathKnown.set(false);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("a field that was opened is closed", e);
    }
  }

  /**
   * Drops the history writer of a job that is over, and with it the job's configuration and class
   * loader: upstream keeps one for each job the JVM has had.
   */
  void forgetHistory(ApplicationId application) {
    synchronized (histories) {
      histories.keySet().removeIf(job -> job.getAppId().equals(application));
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
