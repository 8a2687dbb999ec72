package org.mammoth.mapreduce.nodemanager;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that a NodeManager has of Mammoth: decides where each container runs, and runs it there. */
final class NodeEngines {

  private static final Logger LOG = LoggerFactory.getLogger(NodeEngines.class);

  static final String ENGINE_MAIN = "org.mammoth.mapreduce.engine.EngineMain";

  private final Configuration conf;
  private final boolean enabled;
  private final EngineSupervisor tasks;
  private final CommandRules commandRules = new CommandRules();
  private final JobFacts jobs;
  private final JobFacts optOuts;
  private final FallbackLog fallbacks = new FallbackLog();
  private final SyntheticPid pids;
  private final ScheduledExecutorService janitor;

  private NodeEngines(Configuration conf, boolean enabled, EngineSupervisor tasks, Clock clock) {
    this.conf = conf;
    this.enabled = enabled;
    this.tasks = tasks;
    this.pids = new SyntheticPid(clock.millis());
    // JobConf's static initialiser adds mapred-site.xml, which a NodeManager does not read.
    Configuration cluster = new JobConf(conf);
    JobRules rules = new JobRules(cluster);
    this.jobs = new JobFacts(rules::reasonAgainst);
    this.optOuts =
        new JobFacts(job -> JobRules.optedOut(job) ? Optional.of("opted out") : Optional.empty());
    this.janitor =
        Executors.newSingleThreadScheduledExecutor(
            runnable -> {
              Thread thread = new Thread(runnable, "engine-janitor");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Reads the configuration, takes up engines that survived, and begins to supervise. */
  static NodeEngines start(Configuration conf) throws IOException {
    Clock clock = Clock.systemUTC();
    boolean enabled = EngineKeys.ENABLED.get(conf);
    if (enabled && UserGroupInformation.isSecurityEnabled()) {
      LOG.warn(
          "Kerberos is on: tasks of several users need processes of their own until engines can be"
              + " started through the LinuxContainerExecutor. Tasks run in ordinary containers.");
      enabled = false;
    }
    EngineSizing sizing = EngineSizing.of(conf);
    Path homes = homes(conf);
    EngineSupervisor tasks =
        new EngineSupervisor(
            "engine",
            ENGINE_MAIN,
            conf,
            new EngineLauncher(conf, sizing),
            new AdmissionLedger(sizing.shareMb()),
            clock,
            homes);
    NodeEngines engines = new NodeEngines(conf, enabled, tasks, clock);
    tasks.recover();
    engines.janitor.scheduleWithFixedDelay(tasks::stopIdle, 1, 1, TimeUnit.SECONDS);
    LOG.info(
        "Mammoth is {}: engine share {} MiB, heap {} MiB",
        enabled ? "on" : "off (" + EngineKeys.ENABLED.name() + ")",
        sizing.shareMb(),
        sizing.heapMb());
    return engines;
  }

  private static Path homes(Configuration conf) throws IOException {
    String first = conf.getTrimmedStrings(YarnConfiguration.NM_LOCAL_DIRS)[0];
    Path homes = Path.of(new org.apache.hadoop.fs.Path(first).toUri().getPath(), "mammoth");
    Files.createDirectories(homes);
    Files.setPosixFilePermissions(homes, PosixFilePermissions.fromString("rwx------"));
    return homes;
  }

  boolean isEnabled() {
    return enabled;
  }

  /** Decides, before anything of the container has started, where it runs. */
  PlannedLaunch plan(ContainerStartContext context) {
    List<String> commands = context.getContainer().getLaunchContext().getCommands();
    Optional<TaskCommand> command = enabled ? TaskCommand.recognise(commands) : Optional.empty();
    if (command.isEmpty()) {
      if (enabled && AppMasterCommand.isMapReduce(commands)) {
        tasks.prepare(context.getUser());
      }
      return PlannedLaunch.ordinary();
    }
    TaskLaunch launch = new TaskLaunch(context, command.get());
    Optional<File> jobFile = launch.jobFile();
    if (jobFile.isPresent() && optOuts.reasonAgainst(jobFile.get()).isPresent()) {
      return PlannedLaunch.ordinary();
    }
    Optional<String> reason = reasonAgainst(launch, jobFile);
    if (reason.isPresent()) {
      fallbacks.record(launch.containerId(), launch.task(), reason.get());
      return PlannedLaunch.ordinary();
    }
    return (pidFile, ordinary) ->
        new InEngineCommand(
            tasks,
            launch.task(),
            launch.spec(jobFile.get()),
            context.getLocalizedResources(),
            pidFile,
            pids,
            fallbacks,
            ordinary);
  }

  private Optional<String> reasonAgainst(TaskLaunch launch, Optional<File> jobFile) {
    if (jobFile.isEmpty()) {
      return Optional.of("its job.xml was not localized");
    }
    return commandRules
        .reasonAgainst(launch.command())
        .or(() -> commandRules.reasonAgainst(launch.environment()))
        .or(() -> jobs.reasonAgainst(jobFile.get()));
  }

  boolean signal(String containerId, int signal) {
    return tasks.signal(containerId, signal);
  }

  boolean holds(String containerId) {
    return tasks.holds(containerId);
  }

  Optional<CompletableFuture<ContainerExit>> reattach(String containerId, long memoryMb) {
    return tasks.reattach(containerId, memoryMb);
  }

  /** State of all engines of the node, for JMX. */
  Map<String, Object> status() {
    Map<String, Object> status = new HashMap<>();
    status.put("enabled", enabled);
    status.put("fallbacks", fallbacks.total());
    status.put("fallbackReasons", fallbacks.byReason());
    return status;
  }

  /** Ends the engines unless this NodeManager's successor will take them up. */
  void stop() {
    janitor.shutdownNow();
    boolean successorExpected =
        conf.getBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, false)
            && conf.getBoolean(
                YarnConfiguration.NM_RECOVERY_SUPERVISED,
                YarnConfiguration.DEFAULT_NM_RECOVERY_SUPERVISED);
    if (!successorExpected) {
      tasks.shutdown();
    }
  }
}
