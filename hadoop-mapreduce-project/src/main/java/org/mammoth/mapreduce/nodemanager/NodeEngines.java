package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.isolation.RewriterSelfTest;
import org.mammoth.mapreduce.disks.LocalDirs;
import org.mammoth.mapreduce.disks.SpinningDirs;
import org.mammoth.mapreduce.lifecycle.Lasting;
import org.mammoth.mapreduce.lifecycle.Pace;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.status.EngineMetrics;
import org.mammoth.mapreduce.status.NodeSnapshot;
import org.mammoth.mapreduce.status.StatusJson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that a NodeManager has of Mammoth: decides where each container runs, and runs it there. */
final class NodeEngines {

  private static final Logger LOG = LoggerFactory.getLogger(NodeEngines.class);

  /** One ApplicationMaster at a time asks for all of a host. */
  private static final long APP_MASTERS_AT_ONCE = Long.MAX_VALUE;

  /** Idle hosts of other users that may stay when one more is started. */
  private static final int IDLE_FIRST_HOSTS = 2;

  /** Names hosts of ApplicationMasters. */
  private static final String APP_MASTER = "appmaster";

  /** The source of numbers in the NodeManager's metrics system. */
  private static final String METRICS = "MammothEngineFigures";

  /** The first one that takes classes of Java 17. */
  private static final String OLDEST_ASM = "9.2";

  private final Configuration conf;
  private final String cannotRun;
  private final EngineSupervisor tasks;
  private final AppMasterHosts appMasters;
  private final LaunchRules rules;
  private final FallbackLog fallbacks;
  private final Switches switches;
  private final NodeAdminServer admin;
  private final SyntheticPid pids;
  private final SharedClassPath classPath;
  private final Map<String, String> inherited;
  private final ScheduledExecutorService janitor;
  private final ObjectName bean;
  private final ObjectName readingsBean;
  private final ExecutorService readers;

  private NodeEngines(
      Configuration conf,
      String cannotRun,
      EngineSupervisor tasks,
      AppMasterHosts appMasters,
      Clock clock)
      throws IOException {
    this.conf = conf;
    this.cannotRun = cannotRun;
    this.tasks = tasks;
    this.appMasters = appMasters;
    this.fallbacks = new FallbackLog(clock);
    this.switches = new Switches(clock);
    this.pids = new SyntheticPid(clock.millis());
    this.inherited = InheritedVariables.read(conf);
    this.classPath = new SharedClassPath(System.getProperty("java.class.path"));
    // JobConf's static initialiser adds mapred-site.xml, which a NodeManager does not read.
    // Not made where it is not asked: it needs the ASM whose absence may be why Mammoth is off.
    this.rules = cannotRun.isEmpty() ? new LaunchRules(new JobConf(conf)) : null;
    this.bean =
        MBeans.register(
            "NodeManager",
            "MammothEngines",
            new NodeEnginesBean(this::isOn, tasks, appMasters, fallbacks));
    this.janitor = Executors.newSingleThreadScheduledExecutor(daemons("engine-janitor"));
    this.readers = Executors.newCachedThreadPool(daemons("engine-reader"));
    NodeReadings readings =
        new NodeReadings(
            tasks::engines, appMasters::engines, this::frame, readers, clock, System::nanoTime);
    this.admin =
        NodeAdminServer.start(conf, new NodeAdmin(conf, tasks, appMasters, switches, cannotRun));
    this.readingsBean = NodeReadingsBean.register(readings, admin::port);
    EngineMetrics.register(METRICS, readings::engines);
  }

  private static ThreadFactory daemons(String name) {
    return runnable -> {
      Thread thread = new Thread(runnable, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private NodeSnapshot frame(long atMs, List<NodeSnapshot.Engine> engines) {
    AdmissionLedger admission = tasks.admission();
    return new NodeSnapshot(
        StatusJson.VERSION,
        atMs,
        isOn(),
        admission.shareMb(),
        admission.usedMb(),
        admission.holders(),
        fallbacks.snapshot(),
        engines);
  }

  /** Whether tasks are handed to engines. */
  private boolean isOn() {
    return cannotRun.isEmpty() && switches.isOn(EngineKeys.ENABLED);
  }

  /** Reads the configuration, takes up engines that survived, and begins to supervise. */
  static NodeEngines start(Configuration conf) throws IOException {
    String cannotRun =
        EngineKeys.ENABLED.get(conf)
            ? cannotHaveEngines()
            : EngineKeys.ENABLED.name() + " is false";
    EngineSizing sizing = EngineSizing.of(conf);
    List<Path> homes = LocalDirs.of(conf).homes();
    Clock clock = Clock.systemUTC();
    DiskKinds disks = new DiskKinds(conf);
    String life = String.valueOf(clock.millis());
    EngineSupervisor tasks =
        new EngineSupervisor(
            EngineDirectory.KIND,
            life,
            conf,
            new ProcessSites(
                EngineDirectory.KIND,
                EngineHome.TASKS,
                conf,
                new EngineLauncher(conf, disks::spinningDirs),
                homes),
            EngineShares.ofTasks(conf),
            new AdmissionLedger(sizing.admittedMb(conf)),
            Pace.real());
    AppMasterHosts appMasters =
        new AppMasterHosts(
            IntStream.rangeClosed(1, EngineKeys.APP_MASTER_HOSTS.get(conf).intValue())
                .mapToObj(rank -> appMasters(rank, life, conf, homes))
                .toList());
    NodeEngines engines = new NodeEngines(conf, cannotRun, tasks, appMasters, clock);
    tasks.recover();
    appMasters.forEach(EngineSupervisor::recover);
    if (cannotRun.isEmpty()) {
      engines.readers.execute(disks::find);
    }
    engines.janitor.scheduleWithFixedDelay(
        new Lasting("Looking after engines", engines::lookAfter), 1, 1, TimeUnit.SECONDS);
    LOG.info(
        "Mammoth is {}: engine share {} MiB, heap {} MiB",
        cannotRun.isEmpty() ? "on" : "off (" + cannotRun + ")",
        sizing.shareMb(),
        sizing.heapMb());
    return engines;
  }

  /** Keeps the hosts that users have as their first, their second and so on. */
  private static EngineSupervisor appMasters(
      int rank, String life, Configuration conf, List<Path> homes) {
    String kind = rank == 1 ? APP_MASTER : APP_MASTER + rank;
    return new EngineSupervisor(
        kind,
        life,
        conf,
        new ProcessSites(
            kind,
            EngineHome.APP_MASTERS,
            conf,
            new EngineLauncher(conf, () -> SpinningDirs.NONE),
            homes),
        EngineShares.ofAppMasters(conf, rank == 1 ? IDLE_FIRST_HOSTS : 0),
        new AdmissionLedger(APP_MASTERS_AT_ONCE),
        Pace.real());
  }

  /** Empty if engines can run here. */
  private static String cannotHaveEngines() {
    if (UserGroupInformation.isSecurityEnabled()) {
      LOG.warn(
          "Kerberos is on: tasks of several users need processes of their own until engines can be"
              + " started through the LinuxContainerExecutor. Tasks run in ordinary containers.");
      return "Kerberos is on, and engines cannot be started through the LinuxContainerExecutor yet";
    }
    // Engines have this JVM's class path.
    Optional<String> unfit = RewriterSelfTest.failure();
    unfit.ifPresent(
        reason ->
            LOG.warn(
                "User classes cannot be rewritten on the NodeManager's class path: {}. Tasks run in"
                    + " ordinary containers until asm, asm-tree and asm-commons {} or later are on"
                    + " it.",
                reason,
                OLDEST_ASM));
    return unfit.map(reason -> "user classes cannot be rewritten: " + reason).orElse("");
  }

  private void lookAfter() {
    tasks.stopIdle();
    appMasters.forEach(EngineSupervisor::stopIdle);
    tasks.dividePools();
  }

  /** Whether Mammoth has a say in a container with these localized files. */
  boolean isConcerned(Map<org.apache.hadoop.fs.Path, List<String>> resources) {
    return cannotRun.isEmpty() && !rules.isOptedOut(resources);
  }

  /** Decides, before anything of the container has started, where it runs. */
  PlannedLaunch plan(ContainerStartContext context) {
    if (!cannotRun.isEmpty()) {
      return PlannedLaunch.ordinary();
    }
    List<String> commands = context.getContainer().getLaunchContext().getCommands();
    Optional<TaskCommand> task = TaskCommand.recognise(commands);
    if (task.isPresent()) {
      return planTask(new HostedLaunch(context, inherited, classPath), task.get());
    }
    return AppMasterCommand.isMapReduce(commands)
        ? planAppMaster(new HostedLaunch(context, inherited, classPath), commands)
        : PlannedLaunch.ordinary();
  }

  private PlannedLaunch planTask(HostedLaunch launch, TaskCommand command) {
    String task = command.attempt().getTaskID().toString();
    LaunchRules.Verdict verdict = rules.judgeTask(launch, command);
    switch (verdict.where()) {
      case ENGINE:
        if (isOn()) {
          return handOver(tasks, task, launch, command);
        }
        fallbacks.record(launch.containerId(), task, switches.reason(EngineKeys.ENABLED));
        return PlannedLaunch.ordinary();
      case OPTED_OUT:
        return PlannedLaunch.ordinary();
      case PROCESS:
      default:
        fallbacks.record(launch.containerId(), task, verdict.reason());
        return PlannedLaunch.ordinary();
    }
  }

  private PlannedLaunch handOver(
      EngineSupervisor engines, String task, HostedLaunch launch, TaskCommand command) {
    return (pidFile, ordinary) ->
        new InEngineCommand(
            engines,
            task,
            launch
                .spec(command.arguments(), command.logLevel(), command.properties())
                .withHeap(command.heapMb()),
            launch.links(),
            pidFile,
            pids,
            reason -> fallbacks.record(launch.containerId(), task, reason),
            reason -> rules.learn(launch, reason),
            ordinary);
  }

  private PlannedLaunch planAppMaster(HostedLaunch launch, List<String> commands) {
    LaunchRules.Verdict verdict = rules.judgeAppMaster(launch, commands);
    if (verdict.where() != LaunchRules.Where.OPTED_OUT && isOn()) {
      tasks.prepare(launch.user());
    }
    boolean warm = isOn() && switches.isOn(EngineKeys.WARM_APP_MASTER);
    if (verdict.where() != LaunchRules.Where.ENGINE || !warm) {
      LOG.info(
          "ApplicationMaster {} gets a process of its own: {}",
          launch.containerId(),
          warm
              ? verdict.reason()
              : switches.reason(isOn() ? EngineKeys.WARM_APP_MASTER : EngineKeys.ENABLED));
      return PlannedLaunch.ordinary();
    }
    return (pidFile, ordinary) ->
        new InEngineCommand(
            appMasters,
            launch.containerId(),
            launch.spec(List.of(), "INFO", Map.of()),
            launch.links(),
            pidFile,
            pids,
            reason ->
                LOG.info(
                    "ApplicationMaster {} gets a process of its own: {}",
                    launch.containerId(),
                    reason),
            reason -> rules.learn(launch, reason),
            ordinary);
  }

  boolean signal(String containerId, int signal) {
    return tasks.signal(containerId, signal) || appMasters.signal(containerId, signal);
  }

  boolean holds(String containerId) {
    return tasks.holds(containerId) || appMasters.holds(containerId);
  }

  Optional<CompletableFuture<ContainerExit>> reattach(String containerId, long memoryMb) {
    return tasks
        .reattach(containerId, memoryMb)
        .or(() -> appMasters.reattach(containerId, memoryMb));
  }

  /** Ends the engines unless this NodeManager's successor will take them up. */
  void stop() {
    janitor.shutdownNow();
    admin.stop();
    MBeans.unregister(bean);
    NodeReadingsBean.unregister(readingsBean);
    DefaultMetricsSystem.instance().unregisterSource(METRICS);
    readers.shutdownNow();
    boolean successorExpected =
        conf.getBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, false)
            && conf.getBoolean(
                YarnConfiguration.NM_RECOVERY_SUPERVISED,
                YarnConfiguration.DEFAULT_NM_RECOVERY_SUPERVISED);
    if (successorExpected) {
      tasks.detach();
      appMasters.forEach(EngineSupervisor::detach);
    } else {
      tasks.shutdown();
      appMasters.forEach(EngineSupervisor::shutdown);
    }
  }
}
