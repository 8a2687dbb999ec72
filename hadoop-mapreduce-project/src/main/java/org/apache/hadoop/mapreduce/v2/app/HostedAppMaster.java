// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.commit.CommitterEvent;
import org.apache.hadoop.mapreduce.v2.app.commit.CommitterEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.appmaster.FetchFailureDispatcher;
import org.mammoth.mapreduce.appmaster.PacedAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Upstream's ApplicationMaster, run by an engine instead of by {@code MRAppMaster.main}.
 *
 * <p>In Hadoop's package because its clean-up on a termination signal, {@code
 * MRAppMasterShutdownHook}, is package-private.
 */
public final class HostedAppMaster extends MRAppMaster {

  private static final Logger LOG = LoggerFactory.getLogger(MRAppMaster.class);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicBoolean terminated = new AtomicBoolean();
  private final Runnable jobFinished;
  private final Runnable beforeLastDeed;
  private volatile boolean hasStarted;
  private AMPreemptionPolicy preemptionPolicy;

  /** Null if upstream's own asks the ResourceManager. */
  private volatile PacedAllocator allocator;

  /**
   * @param nmPort port of the NodeManager's RPC server
   * @param nmHttpPort port of its pages
   * @param submitMs when the application was submitted
   * @param jobFinished told when the job is over and only late questions of clients are answered;
   *     not if somebody is to be notified of the job's end, which upstream does after that
   * @param beforeLastDeed told before the job commits or is cleaned up after, and before its end is
   *     made known: what no other attempt is to do again; throws if that must not be
   */
  public HostedAppMaster(
      ContainerId container,
      String nmHost,
      int nmPort,
      int nmHttpPort,
      long submitMs,
      Runnable jobFinished,
      Runnable beforeLastDeed) {
    super(container.getApplicationAttemptId(), container, nmHost, nmPort, nmHttpPort, submitMs);
    this.jobFinished = jobFinished;
    this.beforeLastDeed = beforeLastDeed;
  }

  /** Initialises and starts all services; returns when they run. */
  public void begin(JobConf conf, String user) throws IOException, InterruptedException {
    initAndStartAppMaster(this, conf, user);
    hasStarted = true;
  }

  /** Waits until the job is over and the ApplicationMaster would leave its process. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  @Override
  protected Dispatcher createDispatcher() {
    return new FetchFailureDispatcher(this::getContext);
  }

  /** One for both who ask: the allocator is made before upstream makes and starts its policy. */
  @Override
  protected AMPreemptionPolicy createPreemptionPolicy(Configuration conf) {
    if (preemptionPolicy == null) {
      preemptionPolicy = super.createPreemptionPolicy(conf);
    }
    return preemptionPolicy;
  }

  @Override
  protected ContainerAllocator createContainerAllocator(
      ClientService clientService, AppContext context) {
    Configuration conf = getConfig();
    if (conf.getBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, false)) {
      // It may ask for no containers at all, as upstream finds out later.
      return super.createContainerAllocator(clientService, context);
    }
    AMPreemptionPolicy policy = createPreemptionPolicy(conf);
    allocator = new PacedAllocator(clientService, context, policy, longestPauseMs(conf));
    EventHandler<Event<JobEventType>> changes = this::jobChanged;
    getDispatcher().register(JobEventType.class, changes);
    return allocator;
  }

  private static long longestPauseMs(Configuration conf) {
    int asked =
        conf.getInt(
            MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS,
            MRJobConfig.DEFAULT_MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS);
    return Math.max(0, Math.min(asked, EngineKeys.APP_MASTER_HEARTBEAT_MS.get(conf)));
  }

  /** A task that ends has the ResourceManager asked for others, and be told of its container. */
  private void jobChanged(Event<JobEventType> event) {
    switch (event.getType()) {
      case JOB_TASK_ATTEMPT_COMPLETED:
      case JOB_TASK_COMPLETED:
      case JOB_MAP_TASK_RESCHEDULED:
        allocator.happened();
        break;
      default:
    }
  }

  /** Ours is told first, and upstream's, which writes down that the commit has begun, after it. */
  @Override
  protected EventHandler<CommitterEvent> createCommitterEventHandler(
      AppContext context, OutputCommitter committer) {
    EventHandler<CommitterEvent> before = this::committing;
    getDispatcher().register(CommitterEventType.class, before);
    return super.createCommitterEventHandler(context, committer);
  }

  /** After a commit that has begun no attempt commits; after an abort one would run all again. */
  void committing(CommitterEvent event) {
    if (event.getType() == CommitterEventType.JOB_COMMIT
        || event.getType() == CommitterEventType.JOB_ABORT) {
      beforeLastDeed.run();
    }
  }

  @Override
  public void notifyIsLastAMRetry(boolean isLast) {
    PacedAllocator paced = allocator;
    if (paced != null) {
      LOG.info("Notify RMCommunicator isAMLastRetry: {}", isLast);
      paced.setShouldUnregister(isLast);
    }
    super.notifyIsLastAMRetry(isLast);
  }

  /**
   * Does what upstream does on a termination signal and at each exit, once: writes what is left of
   * the history, and tells the ResourceManager how the job has ended.
   */
  public void terminate() {
    if (!terminated.compareAndSet(false, true)) {
      return;
    }
    PacedAllocator paced = allocator;
    if (paced != null) {
      paced.setSignalled(true);
    }
    new MRAppMasterShutdownHook(this).run();
  }

  @Override
  protected void serviceStop() throws Exception {
    super.serviceStop();
    if (hasStarted && !notifies()) {
      jobFinished.run();
    }
  }

  private boolean notifies() {
    return getConfig().get(MRJobConfig.MR_JOB_END_NOTIFICATION_URL) != null;
  }

  @Override
  public void shutDownJob() {
    try {
      beforeLastDeed.run();
      super.shutDownJob();
    } finally {
      ended.countDown();
    }
  }
}
