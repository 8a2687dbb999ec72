// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.mammoth.api.Beans;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.api.status.StatusJson;
import org.mammoth.api.timing.Lasting;
import org.mammoth.config.UnknownKeys;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.isolation.loading.SharedJars;
import org.mammoth.engine.isolation.rewrite.RewriterSelfTest;
import org.mammoth.mapreduce.disks.LocalDirs;
import org.mammoth.mapreduce.disks.SpinningDirs;
import org.mammoth.mapreduce.launch.AppMasterCommand;
import org.mammoth.mapreduce.launch.EngineEnvironment;
import org.mammoth.mapreduce.launch.HostedLaunch;
import org.mammoth.mapreduce.launch.InheritedVariables;
import org.mammoth.mapreduce.launch.LaunchRules;
import org.mammoth.mapreduce.launch.SharedClassPath;
import org.mammoth.mapreduce.launch.TaskCommand;
import org.mammoth.mapreduce.lifecycle.Pace;
import org.mammoth.mapreduce.nodemanager.classes.EngineJava;
import org.mammoth.mapreduce.nodemanager.processes.UserProcesses;
import org.mammoth.mapreduce.nodemanager.readings.DiskKinds;
import org.mammoth.mapreduce.nodemanager.readings.HostFigures;
import org.mammoth.mapreduce.nodemanager.readings.NodeReadings;
import org.mammoth.mapreduce.nodemanager.readings.NodeReadingsBean;
import org.mammoth.mapreduce.nodemanager.sites.EngineLauncher;
import org.mammoth.mapreduce.nodemanager.sites.EngineSites;
import org.mammoth.mapreduce.nodemanager.sites.ProcessSites;
import org.mammoth.mapreduce.nodemanager.sites.UserEngineLauncher;
import org.mammoth.mapreduce.nodemanager.sites.UserSites;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.status.EngineMetrics;
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
  private final boolean asUsers;
  private final EngineSupervisor tasks;
  private final AppMasterHosts appMasters;
  private final LaunchRules rules;
  private final FallbackLog fallbacks;
  private final HostFigures host = new HostFigures();
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
      boolean asUsers,
      EngineSupervisor tasks,
      AppMasterHosts appMasters,
      Clock clock)
      throws IOException {
    this.conf = conf;
    this.asUsers = asUsers;
    this.cannotRun = cannotRun;
    this.tasks = tasks;
    this.appMasters = appMasters;
    this.fallbacks = new FallbackLog(clock);
    this.switches = new Switches(clock);
    this.pids =
        asUsers
            ? new SyntheticPid(clock.millis(), SyntheticPid.AS_SETUID_PROGRAM)
            : new SyntheticPid(clock.millis());
    this.inherited = InheritedVariables.read(conf);
    this.classPath = new SharedClassPath(sharedClassPath(conf));
    // JobConf's static initialiser adds mapred-site.xml, which a NodeManager does not read.
    // Not made where it is not asked: it needs the ASM whose absence may be why Mammoth is off.
    this.rules =
        cannotRun.isEmpty()
            ? new LaunchRules(new JobConf(conf), EngineEnvironment.read(conf))
            : null;
    // The first of what is to be undone, as it may fail: its port may be another's.
    this.admin =
        NodeAdminServer.start(conf, new NodeAdmin(conf, tasks, appMasters, switches, cannotRun));
    this.bean =
        MBeans.register(
            "NodeManager",
            Beans.ENGINES_NAME,
            new NodeEnginesBean(this::isOn, tasks, appMasters, fallbacks));
    this.janitor = Executors.newSingleThreadScheduledExecutor(daemons("engine-janitor"));
    this.readers = Executors.newCachedThreadPool(daemons("engine-reader"));
    NodeReadings readings =
        new NodeReadings(
            tasks::engines, appMasters::engines, this::frame, readers, clock, System::nanoTime);
    this.readingsBean = NodeReadingsBean.register(readings, admin::port);
    EngineMetrics.register(METRICS, readings::engines);
  }

  private void begin(DiskKinds disks) {
    tasks.recover();
    appMasters.forEach(EngineSupervisor::recover);
    if (cannotRun.isEmpty()) {
      readers.execute(disks::find);
    }
    janitor.scheduleWithFixedDelay(
        new Lasting("Looking after engines", this::lookAfter), 1, 1, TimeUnit.SECONDS);
  }

  private static String sharedClassPath(Configuration conf) {
    String all = System.getProperty("java.class.path");
    SharedJars shared = SharedJars.with(EngineKeys.SHARED_JARS.get(conf));
    List<String> others = shared.othersOf(all);
    if (!others.isEmpty()) {
      LOG.info(
          "Each task loads for itself what is none of Hadoop's own ({} lists what is shared"
              + " nevertheless): {}",
          EngineKeys.SHARED_JARS.name(),
          others);
    }
    return shared.of(all);
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
        host.read(),
        tasks.ended(),
        engines);
  }

  /** Whether tasks are handed to engines. */
  private boolean isOn() {
    return cannotRun.isEmpty() && switches.isOn(EngineKeys.ENABLED);
  }

  /** Reads the configuration, takes up engines that survived, and begins to supervise. */
  static NodeEngines start(Configuration conf) throws IOException {
    return start(conf, null, "");
  }

  /**
   * The same for engines that run as their users.
   *
   * @param users acts for them; null where engines run as the NodeManager's own user
   * @param unfit why this node can have no engines, empty if nothing is known
   */
  static NodeEngines start(Configuration conf, UserProcesses users, String unfit)
      throws IOException {
    UnknownKeys.tell(conf, LOG::warn);
    String cannotRun = EngineKeys.ENABLED.name() + " is false";
    if (EngineKeys.ENABLED.get(conf)) {
      cannotRun = unfit.isEmpty() ? cannotHaveEngines(conf, users != null) : unfit;
    }
    NodeShare share = NodeShare.of(conf, users != null && users.limitsMemory());
    if (cannotRun.isEmpty() && !share.reasonAgainst().isEmpty()) {
      LOG.warn("{} Tasks run in ordinary containers.", share.reasonAgainst());
      cannotRun = share.reasonAgainst();
    }
    List<Path> homes = LocalDirs.of(conf).homes();
    Clock clock = Clock.systemUTC();
    DiskKinds disks = new DiskKinds(conf);
    String life = String.valueOf(clock.millis());
    Sites site = new Sites(conf, homes, users, new AtomicLong(clock.millis()));
    EngineSupervisor tasks =
        new EngineSupervisor(
            EngineDirectory.KIND,
            life,
            conf,
            sites(EngineDirectory.KIND, EngineHome.TASKS, disks::spinningDirs, site),
            EngineShares.ofTasks(conf, share.limitMb()),
            new AdmissionLedger(share.admittedMb(conf)),
            Pace.real());
    AppMasterHosts appMasters =
        new AppMasterHosts(
            IntStream.rangeClosed(1, EngineKeys.APP_MASTER_HOSTS.get(conf).intValue())
                .mapToObj(rank -> appMasters(rank, life, conf, site))
                .toList());
    NodeEngines engines = new NodeEngines(conf, cannotRun, users != null, tasks, appMasters, clock);
    try {
      engines.begin(disks);
    } catch (RuntimeException | Error e) {
      engines.stop();
      throw e;
    }
    LOG.info(
        "Mammoth is {}: engine share {} MiB, heap {} MiB",
        cannotRun.isEmpty() ? "on" : "off (" + cannotRun + ")",
        share.whole().shareMb(),
        share.whole().heapMb());
    return engines;
  }

  /**
   * What all sites of a node have in common.
   *
   * @param users null where engines run as the NodeManager's own user
   * @param numbers of the next application that is none of YARN's
   */
  private record Sites(
      Configuration conf, List<Path> homes, UserProcesses users, AtomicLong numbers) {

    /** A ResourceManager begins with 1. */
    String nextApplication() {
      return ApplicationId.newInstance(numbers.incrementAndGet(), 0).toString();
    }
  }

  private static EngineSites sites(
      String kind, String role, Supplier<String> spinningDirs, Sites site) {
    EngineLauncher launcher = new EngineLauncher(site.conf(), spinningDirs);
    return site.users() == null
        ? new ProcessSites(kind, role, site.conf(), launcher, site.homes())
        : new UserSites(
            kind,
            site.conf(),
            site.users(),
            new UserEngineLauncher(launcher, role),
            site::nextApplication,
            site.homes());
  }

  /** Keeps the hosts that users have as their first, their second and so on. */
  private static EngineSupervisor appMasters(
      int rank, String life, Configuration conf, Sites site) {
    String kind = rank == 1 ? APP_MASTER : APP_MASTER + rank;
    return new EngineSupervisor(
        kind,
        life,
        conf,
        sites(kind, EngineHome.APP_MASTERS, () -> SpinningDirs.NONE, site),
        EngineShares.ofAppMasters(conf, rank == 1 ? IDLE_FIRST_HOSTS : 0),
        new AdmissionLedger(APP_MASTERS_AT_ONCE),
        Pace.real());
  }

  /** Empty if engines can run here. */
  private static String cannotHaveEngines(Configuration conf, boolean asUsers) {
    if (UserGroupInformation.isSecurityEnabled() && !asUsers) {
      LOG.warn(
          "Kerberos is on, and containers run as the NodeManager's own user: tasks of several users"
              + " need processes of their own unless {} is {}. Tasks run in ordinary containers.",
          YarnConfiguration.NM_CONTAINER_EXECUTOR,
          MammothLinuxContainerExecutor.class.getName());
      return "Kerberos is on, and "
          + YarnConfiguration.NM_CONTAINER_EXECUTOR
          + " is not "
          + MammothLinuxContainerExecutor.class.getName();
    }
    EngineJava java = EngineJava.of(conf);
    Optional<String> unfitJava = java.unfit();
    if (unfitJava.isPresent()) {
      LOG.warn("{}. Tasks run in ordinary containers.", unfitJava.get());
      return unfitJava.get();
    }
    if (!java.isOwn()) {
      LOG.info("Engines run on {}", java.program());
    }
    if (EngineJava.ofThisProcess().unfit().isPresent()) {
      // Nothing can be rewritten on this JVM; engines try it themselves as they start.
      return "";
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
    // Of a job that only its user may read, the container's own main class finds out.
    return cannotRun.isEmpty() && (asUsers || !rules.isOptedOut(resources));
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
    LaunchRules.Verdict verdict =
        asUsers ? rules.judgeCommand(launch, command) : rules.judgeTask(launch, command);
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
            spec(launch, command.arguments(), command.logLevel(), command.properties(), List.of())
                .withHeap(command.heapMb()),
            links(launch),
            pidFile,
            pids,
            reason -> fallbacks.record(launch.containerId(), task, reason),
            reason -> learn(launch, reason),
            ordinary);
  }

  /** For an engine that runs as its user, with what it needs to do the rest itself. */
  private ContainerLaunchSpec spec(
      HostedLaunch launch,
      List<String> arguments,
      String logLevel,
      Map<String, String> properties,
      List<String> appMaster) {
    if (!asUsers) {
      return launch.spec(arguments, logLevel, properties);
    }
    try {
      return launch.userSpec(arguments, logLevel, properties, appMaster);
    } catch (IOException e) {
      throw new UncheckedIOException("the tokens of " + launch.containerId() + " are lost", e);
    }
  }

  /** What this NodeManager links into the container's folder; an engine of its user's does it. */
  private Map<org.apache.hadoop.fs.Path, List<String>> links(HostedLaunch launch) {
    return asUsers ? Map.of() : launch.links();
  }

  /** An engine of its user's remembers that itself. */
  private void learn(HostedLaunch launch, String reason) {
    if (!asUsers) {
      rules.learn(launch, reason);
    }
  }

  private PlannedLaunch planAppMaster(HostedLaunch launch, List<String> commands) {
    LaunchRules.Verdict verdict =
        asUsers
            ? rules.judgeAppMasterOfUser(launch, commands)
            : rules.judgeAppMaster(launch, commands);
    if (verdict.where() != LaunchRules.Where.OPTED_OUT && isOn()) {
      tasks.prepare(launch.user());
    }
    boolean warm = isOn() && switches.isOn(EngineKeys.WARM_APP_MASTER);
    String reason =
        warm
            ? verdict.reason()
            : switches.reason(isOn() ? EngineKeys.WARM_APP_MASTER : EngineKeys.ENABLED);
    boolean hosted = verdict.where() == LaunchRules.Where.ENGINE && warm;
    if (!hosted) {
      LOG.info("ApplicationMaster {} gets a process of its own: {}", launch.containerId(), reason);
      return PlannedLaunch.ordinary();
    }
    return (pidFile, ordinary) ->
        new InEngineCommand(
            appMasters,
            AppMasterHosts.application(launch.containerId()),
            spec(
                launch,
                List.of(),
                AppMasterCommand.logLevel(commands),
                AppMasterCommand.properties(commands),
                commands),
            links(launch),
            pidFile,
            pids,
            why ->
                LOG.info(
                    "ApplicationMaster {} gets a process of its own: {}",
                    launch.containerId(),
                    why),
            why -> learn(launch, why),
            ordinary);
  }

  /** A container runs as on stock because something of Mammoth's failed at it. */
  void fellBack(ContainerId container, Throwable why) {
    fallbacks.record(container.toString(), container.toString(), "Mammoth failed at it: " + why);
  }

  boolean signal(String containerId, int signal) {
    return tasks.signal(containerId, signal) || appMasters.signal(containerId, signal);
  }

  boolean holds(String containerId) {
    return tasks.holds(containerId) || appMasters.holds(containerId);
  }

  /** See {@link EngineSupervisor#reattach}. */
  Optional<CompletableFuture<ContainerExit>> reattach(
      String containerId, String user, long memoryMb) {
    return tasks
        .reattach(containerId, user, memoryMb)
        .or(() -> appMasters.reattach(containerId, user, memoryMb));
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
