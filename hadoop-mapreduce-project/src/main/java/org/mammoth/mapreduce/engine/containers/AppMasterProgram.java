// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.io.File;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.HostedAppMaster;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.mapreduce.v2.util.MRWebAppUtil;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.YarnUncaughtExceptionHandler;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.engine.jobs.AppMasterStatics;
import org.mammoth.mapreduce.engine.jobs.InputContext;
import org.mammoth.mapreduce.engine.jobs.OpenFileSystems;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@code MRAppMaster.main} does in a process, done on a thread of a standing host. */
public final class AppMasterProgram implements ContainerProgram {

  private static final Logger LOG = LoggerFactory.getLogger(AppMasterProgram.class);

  /** Of a job to NodeManagers, two threads each for the ten seconds after the last call. */
  private static final int CONNECTIONS = 32;

  /** What a thread unwinds with whose ApplicationMaster is run again. */
  private static final int ENDED = 137;

  /** Programs of ApplicationMasters; at most one has an unfinished job at any time. */
  public static final class Factory implements ContainerProgram.Factory {

    private final TaskSurroundings shared;
    private final AppMasterStatics statics = new AppMasterStatics();
    private final AtomicReference<HostedContainer> active = new AtomicReference<>();

    public Factory(TaskSurroundings shared) {
      this.shared = shared;
    }

    @Override
    public Optional<String> reasonAgainst(HostedContainer container) {
      return active.compareAndSet(null, container)
          ? Optional.empty()
          : Optional.of("the host's ApplicationMaster has a job already");
    }

    @Override
    public ContainerProgram create(HostedContainer container, TaskProcess process) {
      statics.renew(container.spec().environment());
      return new AppMasterProgram(container, process, this);
    }

    @Override
    public String nameOf(HostedContainer container) {
      return "appmaster_" + container.containerId();
    }

    @Override
    public void ended(HostedContainer container) {
      active.compareAndSet(container, null);
    }
  }

  private final HostedContainer hosted;
  private final TaskProcess process;
  private final Factory factory;
  private TaskClassLoader loader;
  private volatile HostedAppMaster master;

  private AppMasterProgram(HostedContainer hosted, TaskProcess process, Factory factory) {
    this.hosted = hosted;
    this.process = process;
    this.factory = factory;
  }

  @Override
  public int run() throws IOException, InterruptedException {
    process.firstDefaultHandler(new YarnUncaughtExceptionHandler());
    Map<String, String> environment = hosted.spec().environment();
    ContainerId container =
        ContainerId.fromString(environment.get(Environment.CONTAINER_ID.name()));
    JobConf conf = factory.shared.jobConfs().copyOf(new File(hosted.spec().jobFile()));
    CallerContext.setCurrent(
        InputContext.of("mr_appmaster_" + container.getApplicationAttemptId(), conf));
    loader = factory.shared.loaders().acquire(conf, hosted.containerId(), hosted.spec(), process);
    conf.setClassLoader(loader);
    Thread.currentThread().setContextClassLoader(loader);
    MRWebAppUtil.initialize(conf);
    String user = environment.get(Environment.USER.name());
    conf.set(MRJobConfig.USER_NAME, user);
    TaskProgram.logSystemProperties(conf);
    keepConnections(conf);
    master =
        new HostedAppMaster(
            container,
            environment.get(Environment.NM_HOST.name()),
            Integer.parseInt(environment.get(Environment.NM_PORT.name())),
            Integer.parseInt(environment.get(Environment.NM_HTTP_PORT.name())),
            Long.parseLong(environment.get(ApplicationConstants.APP_SUBMIT_TIME_ENV)),
            // Upstream holds the container five seconds longer, to answer late questions of
            // clients; here the host answers them, and the next job need not wait for the memory.
            () -> hosted.reportAndAnswer(0),
            this::passPointOfNoReturn);
    process.addShutdownHook(master::terminate, MRAppMaster.SHUTDOWN_HOOK_PRIORITY);
    UserGroupInformation launcher = UserGroupInformation.createRemoteUser(user);
    launcher.addCredentials(
        Credentials.readTokenStorageFile(new File(hosted.spec().tokensFile()), conf));
    try {
      launcher.doAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                master.begin(conf, user);
                return null;
              });
    } catch (IOException | RuntimeException e) {
      LOG.error("Error starting MRAppMaster", e);
      return 1;
    }
    master.awaitEnd();
    return 0;
  }

  /**
   * Before the job's commit: a later attempt that finds one begun gives the job up, unless its
   * committer says that it can be repeated. Before its abort: a later attempt would run a job again
   * that has failed or was killed.
   */
  private void passPointOfNoReturn() {
    if (!hosted.passPointOfNoReturn()) {
      process.leave(ENDED);
    }
  }

  /**
   * Upstream's default is a connection for each call to a NodeManager that may be idle for no time
   * at all: whoever sends by it looks for the next call without a pause until this one is answered,
   * and takes a processor from the NodeManager that would answer.
   */
  private static void keepConnections(JobConf conf) {
    String key = YarnConfiguration.NM_CLIENT_MAX_NM_PROXIES;
    if (conf.getInt(key, YarnConfiguration.DEFAULT_NM_CLIENT_MAX_NM_PROXIES) == 0) {
      conf.setInt(key, CONNECTIONS);
    }
  }

  /** Upstream's exits. */
  @Override
  public boolean endsWithItsThreads() {
    return false;
  }

  @Override
  public void terminate() {
    HostedAppMaster running = master;
    if (running == null) {
      return;
    }
    Thread hook = new Thread(process.threads(), running::terminate, "termination");
    hook.setContextClassLoader(loader);
    hook.start();
    try {
      hook.join(factory.shared.killGrace().toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void fence() {
    // The ResourceManager refuses an ApplicationMaster whose container it has ended.
  }

  @Override
  public void reportFatal(Throwable error) {
    LOG.error("The ApplicationMaster ended", error);
  }

  @Override
  public int fatalStatus() {
    return 1;
  }

  @Override
  public void closeFileSystems() {
    HostedAppMaster ended = master;
    if (ended != null) {
      factory.statics.stopLogSyncer(ended);
    }
    try {
      OpenFileSystems.close(process);
    } catch (IOException e) {
      LOG.warn("Closing the files of {}", hosted, e);
    }
  }

  @Override
  public void close() {
    if (loader != null) {
      factory.shared.loaders().release(loader, true);
    }
  }
}
