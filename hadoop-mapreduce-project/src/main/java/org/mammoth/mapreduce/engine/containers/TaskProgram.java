// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.mapred.ChildBridge;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JvmTask;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskUmbilical;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.yarn.YarnUncaughtExceptionHandler;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.mammoth.engine.config.SortKeys;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.rewrite.SharedGap;
import org.mammoth.mapreduce.MammothCounter;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.mammoth.mapreduce.buffers.TaskCache;
import org.mammoth.mapreduce.engine.jobs.InputContext;
import org.mammoth.mapreduce.engine.jobs.OpenFileSystems;
import org.mammoth.mapreduce.engine.jobs.PluggedConf;
import org.mammoth.mapreduce.engine.jobs.StockSettings;
import org.mammoth.mapreduce.shuffle.MammothShuffle;
import org.mammoth.mapreduce.sort.MammothCollector;
import org.mammoth.mapreduce.transfer.EngineShuffle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What upstream's YarnChild does in a process, done on a thread: fetches the task, gives it its
 * configuration, credentials, folders and classes, runs it, and reports what went wrong.
 */
public final class TaskProgram implements ContainerProgram, TaskUmbilical.Surroundings {

  /** Read by {@code Task.setConf} alone. */
  private static final String UBERIZED = "mapreduce.task.uberized";

  private static final Logger LOG = LoggerFactory.getLogger(TaskProgram.class);

  private static final FsPermission JOB_FILE_PERMISSION =
      FsPermission.createImmutable((short) 0640);
  private static final long FIRST_FETCH_PAUSE_MS = 5;
  private static final long LONGEST_FETCH_PAUSE_MS = 100;

  private final HostedContainer hosted;
  private final TaskProcess process;
  private final TaskSurroundings shared;
  private final TaskAttemptID attempt;
  private volatile TaskUmbilical umbilical;
  private String eventsOf;
  private TaskUmbilicalProtocol proxy;
  private TaskClassLoader loader;
  private volatile UserGroupInformation owner;
  private volatile boolean fenced;
  private volatile Task current;

  TaskProgram(
      HostedContainer hosted, TaskAttemptID attempt, TaskProcess process, TaskSurroundings shared) {
    this.hosted = hosted;
    this.process = process;
    this.shared = shared;
    this.attempt = attempt;
  }

  @Override
  public int run() throws IOException, InterruptedException {
    process.firstDefaultHandler(new YarnUncaughtExceptionHandler());
    JobConf job = shared.jobConfs().copyOf(new File(hosted.spec().jobFile()));
    loader = shared.loaders().acquire(job, attempt.getJobID().toString(), hosted.spec(), process);
    job.setClassLoader(loader);
    Thread.currentThread().setContextClassLoader(loader);
    // Each of these is the task's own; see task-statics.txt. They may name classes of its loader.
    Limits.init(job);
    UserGroupInformation.setConfiguration(job);
    SecurityUtil.setConfiguration(job);
    CallerContext.setCurrent(InputContext.of("mr_" + attempt, job));
    Credentials credentials =
        Credentials.readTokenStorageFile(new File(hosted.spec().tokensFile()), job);
    LOG.info("Executing with tokens: {}", credentials.getAllTokens());
    Token<JobTokenIdentifier> jobToken = TokenCache.getJobToken(credentials);
    connect(job, jobToken);
    Task task = null;
    try {
      JvmTask answer = fetch();
      if (answer.shouldDie()) {
        return 0;
      }
      task = answer.getTask();
      current = task;
      configure(job, task, credentials, jobToken);
      logSystemProperties(job);
      owner = UserGroupInformation.createRemoteUser(hosted.spec().user());
      owner.addCredentials(credentials);
      Task running = task;
      owner.doAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                runAsOwner(job, running);
                return null;
              });
    } catch (FSError e) {
      LOG.error("FSError from child", e);
      hosted.noteFailure();
      umbilical.fsError(attempt, e.getMessage());
    } catch (Exception e) {
      LOG.warn("Exception running child : {}", StringUtils.stringifyException(e));
      SharedGap.check(e, process, loader);
      hosted.noteFailure();
      cleanUp(task);
      umbilical.fatalError(attempt, StringUtils.stringifyException(e), failsJob(e, job));
    } catch (TaskExit | ThreadDeath | OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) { // whatever else a job's code throws is told of, as in a process
      LOG.error("Error running child : {}", StringUtils.stringifyException(e));
      SharedGap.check(e, process, loader);
      reportFatal(e);
    }
    return 0;
  }

  /** As upstream's mains do, of the properties that the job names. */
  static void logSystemProperties(Configuration job) {
    String properties = MRApps.getSystemPropertiesToLog(job);
    if (properties != null) {
      LOG.info(properties);
    }
  }

  private void connect(JobConf job, Token<JobTokenIdentifier> jobToken)
      throws IOException, InterruptedException {
    List<String> arguments = hosted.spec().arguments();
    InetSocketAddress master =
        NetUtils.createSocketAddrForHost(arguments.get(0), Integer.parseInt(arguments.get(1)));
    UserGroupInformation caller =
        UserGroupInformation.createRemoteUser(attempt.getJobID().toString());
    SecurityUtil.setTokenService(jobToken, master);
    caller.addToken(jobToken);
    JobConf connection = new JobConf(job);
    connection.setBoolean("ipc.client.tcpnodelay", true);
    proxy =
        caller.doAs(
            (PrivilegedExceptionAction<TaskUmbilicalProtocol>)
                () ->
                    RPC.getProxy(
                        TaskUmbilicalProtocol.class,
                        TaskUmbilicalProtocol.versionID,
                        master,
                        connection));
    eventsOf = applicationAttempt().toString();
    umbilical =
        new TaskUmbilical(proxy, this, shared.mapEvents().acquire(eventsOf, job.getNumMapTasks()));
    if (fenced) {
      umbilical.fence();
    }
  }

  private JvmTask fetch() throws IOException, InterruptedException {
    long jvmId = Long.parseLong(hosted.spec().arguments().get(3));
    long pauseMs = FIRST_FETCH_PAUSE_MS;
    JvmTask answer = ChildBridge.fetch(umbilical, attempt, jvmId);
    while (answer == null) {
      // The ApplicationMaster learns of the launch at about the same time.
      TimeUnit.MILLISECONDS.sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_FETCH_PAUSE_MS);
      answer = ChildBridge.fetch(umbilical, attempt, jvmId);
    }
    return answer;
  }

  private void configure(
      JobConf job, Task task, Credentials credentials, Token<JobTokenIdentifier> jobToken)
      throws IOException {
    job.setCredentials(credentials);
    job.setInt(MRJobConfig.APPLICATION_ATTEMPT_ID, applicationAttempt().getAttemptId());
    job.setBoolean("ipc.client.tcpnodelay", true);
    ChildBridge.useYarnOutputFiles(job);
    byte[] ownSecret = TokenCache.getShuffleSecretKey(credentials);
    byte[] shuffleSecret = ownSecret == null ? jobToken.getPassword() : ownSecret;
    ChildBridge.setSecrets(
        task,
        JobTokenSecretManager.createSecretKey(jobToken.getPassword()),
        JobTokenSecretManager.createSecretKey(shuffleSecret));
    EngineShuffle shuffle = shared.memory().shuffle();
    if (shuffle != null) {
      shuffle
          .jobs()
          .started(attempt.getJobID().toString(), shuffleSecret, hosted.spec().localDirs());
    }
    List<String> localDirs = hosted.usableLocalDirs();
    job.setStrings(MRConfig.LOCAL_DIR, localDirs.toArray(new String[0]));
    File jobLocal = jobLocalDir(localDirs);
    if (!jobLocal.isDirectory() && !jobLocal.mkdirs() && !jobLocal.isDirectory()) {
      throw new IOException("cannot make " + jobLocal);
    }
    job.set(MRJobConfig.JOB_LOCAL_DIR, jobLocal.getPath());
    task.localizeConfiguration(job);
    localizeCacheLinks(job);
    // As in a process, not as the owner: the first local file system that he gets is what he asks
    // for.
    writeJobFile(FileSystem.getLocal(job), job);
    task.setJobFile(hosted.spec().workDir() + "/" + MRJobConfig.JOB_CONF_FILE);
  }

  private ApplicationAttemptId applicationAttempt() {
    return ContainerId.fromString(hosted.spec().environment().get(Environment.CONTAINER_ID.name()))
        .getApplicationAttemptId();
  }

  /** The folder that all tasks of the job share on this node: where it is, or where it will be. */
  private static File jobLocalDir(List<String> localDirs) {
    for (String localDir : localDirs) {
      File made = new File(localDir, "work");
      if (made.isDirectory()) {
        return made;
      }
    }
    return new File(localDirs.get(0), "work");
  }

  /** Tells the job where its cache files are linked: upstream asks the environment for PWD. */
  private void localizeCacheLinks(JobConf job) {
    setLinks(
        job,
        MRJobConfig.CACHE_LOCALARCHIVES,
        StringUtils.stringToURI(job.getStrings(MRJobConfig.CACHE_ARCHIVES)));
    setLinks(
        job,
        MRJobConfig.CACHE_LOCALFILES,
        StringUtils.stringToURI(job.getStrings(MRJobConfig.CACHE_FILES)));
  }

  private void setLinks(JobConf job, String key, URI[] uris) {
    if (uris == null || uris.length == 0) {
      return;
    }
    List<String> links = new ArrayList<>();
    for (URI uri : uris) {
      String name = uri.getFragment() != null ? uri.getFragment() : new Path(uri).getName();
      links.add(new Path(hosted.spec().workDir(), name).toUri().getPath());
    }
    job.setStrings(key, links.toArray(new String[0]));
  }

  private void runAsOwner(JobConf job, Task task)
      throws IOException, InterruptedException, ClassNotFoundException {
    byte[] spillKey = task.getEncryptedSpillKey();
    if (spillKey != null && spillKey.length > 1) {
      Credentials own = UserGroupInformation.getCurrentUser().getCredentials();
      TokenCache.setEncryptedSpillKey(spillKey, own);
      UserGroupInformation.getCurrentUser().addCredentials(own);
    }
    FileSystem.get(job).setWorkingDirectory(job.getWorkingDirectory());
    JobConf plugged = plugIn(job);
    hand(task, plugged);
    task.run(plugged, umbilical);
  }

  /**
   * Gives a task its configuration. The task alone takes itself for one in an ApplicationMaster's
   * own process, so that a lost ApplicationMaster ends it, not the JVM: its program does not, and
   * streaming hands the configuration on to scripts.
   */
  public static void hand(Task task, JobConf job) {
    String asked = job.getRaw(UBERIZED);
    job.setBoolean(UBERIZED, true);
    task.setConf(job);
    job.unset(UBERIZED);
    if (asked != null) {
      job.set(UBERIZED, asked);
    }
  }

  /**
   * A task's configuration with the engine's parts, such as its sort and shuffle. What else is made
   * of it has none of them: ordinary containers and stock nodes run the job as ever, and jobs that
   * it submits.
   */
  public static JobConf plugIn(JobConf job) {
    PluggedConf plugged = new PluggedConf(job);
    plugged.plug(MRConfig.RESOURCE_CALCULATOR_PROCESS_TREE, TaskProcessTree.class.getName());
    String collectors = job.get(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, "");
    String stock = MapTask.MapOutputBuffer.class.getName();
    if (SortKeys.SORT.get(job)
        && (collectors.isEmpty() || collectors.equals(stock))
        && StockSettings.allowOurSort(job)) {
      plugged.plug(
          MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR,
          MammothCollector.class.getName() + "," + stock);
    }
    String shuffle = job.get(MRConfig.SHUFFLE_CONSUMER_PLUGIN, Shuffle.class.getName());
    if (SortKeys.SHUFFLE.get(job)
        && shuffle.equals(Shuffle.class.getName())
        && StockSettings.allowOurShuffle(job)) {
      plugged.plug(MRConfig.SHUFFLE_CONSUMER_PLUGIN, MammothShuffle.class.getName());
    }
    return plugged;
  }

  /** Leaves the localized configuration in the container's folder, as YarnChild does. */
  private void writeJobFile(LocalFileSystem local, JobConf job) throws IOException {
    Path file = new Path(hosted.spec().workDir(), MRJobConfig.JOB_CONF_FILE);
    local.delete(file, true); // the link to the file that all tasks share
    try (OutputStream out = FileSystem.create(local, file, JOB_FILE_PERMISSION)) {
      job.writeXml(out);
    }
  }

  private void cleanUp(Task task) {
    if (task == null) {
      return;
    }
    try {
      UserGroupInformation user = owner;
      if (user == null) {
        ChildBridge.cleanUp(task, umbilical);
      } else {
        user.doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  ChildBridge.cleanUp(task, umbilical);
                  return null;
                });
      }
    } catch (Exception e) {
      LOG.info("Exception cleaning up: {}", StringUtils.stringifyException(e));
    }
  }

  private static boolean failsJob(Exception e, JobConf job) {
    boolean full = false;
    for (Throwable cause = e; cause != null && !full; cause = cause.getCause()) {
      full = cause instanceof ClusterStorageCapacityExceededException;
    }
    return full
        && job.getBoolean(
            MRJobConfig.JOB_DFS_STORAGE_CAPACITY_KILL_LIMIT_EXCEED,
            MRJobConfig.DEFAULT_JOB_DFS_STORAGE_CAPACITY_KILL_LIMIT_EXCEED);
  }

  @Override
  public void reportFatal(Throwable error) {
    hosted.noteFailure();
    try {
      Throwable cause = error.getCause();
      umbilical.fatalError(
          attempt,
          cause == null ? error.getMessage() : StringUtils.stringifyException(cause),
          false);
    } catch (IOException e) {
      LOG.error("The ApplicationMaster could not be told of {}", error, e);
    }
  }

  @Override
  public String phase() {
    Task task = current;
    return task == null ? "STARTING" : task.getPhase().name();
  }

  @Override
  public boolean isConfinedByFence() {
    return true;
  }

  @Override
  public void fence() {
    fenced = true;
    TaskUmbilical cut = umbilical;
    if (cut != null) {
      cut.fence();
    }
  }

  @Override
  public void closeFileSystems() {
    try {
      OpenFileSystems.close(process);
    } catch (IOException e) {
      LOG.warn("Closing the files of {}", attempt, e);
    }
  }

  @Override
  public void close() {
    if (eventsOf != null) {
      shared.mapEvents().release(eventsOf);
    }
    if (proxy != null) {
      RPC.stopProxy(proxy);
    }
    if (loader != null) {
      shared.loaders().release(loader, true);
    }
  }

  @Override
  public void correct(Counters counters) {
    counters.findCounter(TaskCounter.GC_TIME_MILLIS).setValue(hosted.shareOfCollectionMs());
    counters.findCounter(TaskCounter.COMMITTED_HEAP_BYTES).setValue(hosted.shareOfHeapBytes());
  }

  @Override
  public Map<Enum<?>, Long> ownCounters() {
    TaskBuffers buffers = hosted.buffers();
    TaskCache dataCache = buffers.dataCache();
    if (dataCache != null && dataCache.bytesRead() > 0) {
      buffers.counters().set(MammothCounter.DATA_CACHE_BYTES, dataCache.bytesRead());
    }
    return buffers.counters().values();
  }

  @Override
  public void exit(int status) {
    if (fenced) {
      process.leave(status); // how it ends is decided
    }
    process.requestExit(status, false);
  }
}
