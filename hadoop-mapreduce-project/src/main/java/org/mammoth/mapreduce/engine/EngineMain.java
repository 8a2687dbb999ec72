// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.apache.hadoop.metrics2.source.JvmMetrics;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.security.SaslPlainServer;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.isolation.purge.JvmCaches;
import org.mammoth.engine.isolation.rewrite.RewriterSelfTest;
import org.mammoth.engine.isolation.standins.jvm.ProcessHook;
import org.mammoth.engine.isolation.standins.network.UrlHandlers;
import org.mammoth.mapreduce.engine.containers.AppMasterProgram;
import org.mammoth.mapreduce.engine.containers.ContainerProgram;
import org.mammoth.mapreduce.engine.containers.EngineVitals;
import org.mammoth.mapreduce.engine.containers.HostedContainers;
import org.mammoth.mapreduce.engine.containers.TaskSurroundings;
import org.mammoth.mapreduce.engine.containers.UserContainers;
import org.mammoth.mapreduce.engine.heap.HeapSampler;
import org.mammoth.mapreduce.engine.jobs.FileSystemStatistics;
import org.mammoth.mapreduce.engine.jobs.SharedParts;
import org.mammoth.mapreduce.engine.memory.NodeMemory;
import org.mammoth.mapreduce.engine.output.EngineLogs;
import org.mammoth.mapreduce.engine.output.OutputLimit;
import org.mammoth.mapreduce.engine.profile.EngineProfiler;
import org.mammoth.mapreduce.engine.readings.EngineMetricsSystem;
import org.mammoth.mapreduce.engine.readings.EngineReadings;
import org.mammoth.mapreduce.engine.readings.EngineStatusBean;
import org.mammoth.mapreduce.protocol.EngineDelivery;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.rehearsal.Rehearsal;
import org.mammoth.mapreduce.status.EngineMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine process of one user on one node: runs each of the user's MapReduce tasks here as
 * threads, or in a second process of the same kind, each of the user's small ApplicationMasters.
 * Started by the NodeManager's supervisor with its home folder and what it is to host; and where it
 * runs as its user, with the file in which the NodeManager has sent it what belongs into its home.
 */
public final class EngineMain {

  /** Place of the third argument, which only an engine has that runs as its user. */
  private static final int DELIVERY = 2;

  private EngineMain() {}

  /** Runs until drained, orphaned or killed. */
  public static void main(String[] args) throws Exception {
    // Before any logger is made: what task code does to log4j must not reach the engine's.
    EngineLogs.install();
    boolean asUser = args.length > DELIVERY;
    EngineHome home =
        asUser
            ? EngineDelivery.receive(Path.of(args[0]), Path.of(args[DELIVERY]))
            : new EngineHome(Path.of(args[0]));
    Logger log = LoggerFactory.getLogger(EngineMain.class);
    boolean appMasters = args[1].equals(EngineHome.APP_MASTERS);
    // The first to bring default resources, so that they have the order they have in a task's JVM.
    // No YarnConfiguration: it brings some that a task's JVM has only if it makes one.
    Configuration conf = new JobConf();
    Optional<String> unfit = RewriterSelfTest.failure();
    if (unfit.isPresent()) {
      throw new IllegalStateException("User classes cannot be rewritten here: " + unfit.get());
    }
    prepareJvm(log);
    FileSystemStatistics statistics = FileSystemStatistics.install();
    conf.addResource(new org.apache.hadoop.fs.Path(home.settings().toUri()));
    UserGroupInformation.setConfiguration(conf);
    SecurityUtil.setConfiguration(conf);
    Limits.init(conf);
    EngineMetricsSystem.install("MammothEngine");
    JvmMetrics.initSingleton(home.engineId(), "");

    EngineVitals vitals = new EngineVitals(home.engineId(), home.user(), Clock.systemUTC());
    NodeMemory memory = appMasters ? null : NodeMemory.open(conf);
    if (memory != null && memory.io().takesInput()) {
      log.info("HDFS blocks of this node are read in turns with local files: one spinning disk");
    }
    SharedParts.make(conf, log);
    TaskSurroundings shared = new TaskSurroundings(conf, statistics, vitals, memory);
    ContainerProgram.Factory programs =
        appMasters ? new AppMasterProgram.Factory(shared) : new ContainerProgram.Tasks(shared);
    HostedContainers containers =
        new HostedContainers(
            conf,
            vitals,
            shared,
            programs,
            Executors.newCachedThreadPool(threads("warden")),
            System::nanoTime);
    EngineReadings readings = new EngineReadings(vitals, containers, memory, System::nanoTime);
    UserContainers ofUser = asUser ? new UserContainers(conf, containers) : null;
    EngineProfiler profiler =
        new EngineProfiler(
            home.folder(),
            Clock.systemUTC(),
            Executors.newSingleThreadScheduledExecutor(threads("profiler")));
    Server server =
        EngineServer.start(conf, home, service(containers, ofUser, readings, memory, profiler));
    if (!appMasters) {
      // Hadoop's servers bring it, which a task's JVM has none of.
      Security.removeProvider(new SaslPlainServer.SecurityProvider().getName());
    }
    MBeans.register("Engine", "EngineStatus", new EngineStatusBean(containers, readings));
    EngineMetrics.register("Figures", () -> List.of(readings.snapshot()));
    EngineHome.Address address =
        new EngineHome.Address(
            ProcessHandle.current().pid(),
            server.getListenerAddress().getPort(),
            memory == null ? 0 : memory.shufflePort());
    if (asUser) {
      home.publishToGroup(address);
    } else {
      home.publish(address);
    }
    log.info("Engine {} of user {} listens on {}", home.engineId(), home.user(), server);
    SharedParts.warmUp(conf, log);
    // A NameNode that does not answer keeps nothing waiting that looks after the engine.
    threads("warm-up").newThread(() -> SharedParts.warmUpHdfs(conf, log)).start();
    if (memory != null) {
      BooleanSupplier idle = () -> containers.situation().running().isEmpty();
      fill(memory, idle, () -> rehearse(conf, shared, home, idle), log);
    }
    EngineVigil vigil =
        new EngineVigil(
            containers,
            EngineKeys.ORPHAN_TIMEOUT_MS.get(conf),
            () -> Files.isDirectory(home.folder()));
    vigil.begin(Executors.newScheduledThreadPool(2, threads("chores")));
    OutputLimit.begin(Executors.newSingleThreadScheduledExecutor(threads("output")));
    vigil.keep();
    log.info("Engine {} ends", home.engineId());
    server.stop();
    // Threads that ignored their task's end are the reason an engine is drained; they end here.
    Runtime.getRuntime().halt(0);
  }

  /** Has the JDK do for each task what it does for a process, before there is any. */
  private static void prepareJvm(Logger log) {
    if (!ProcessHook.begin()) {
      log.warn("A library that ends the JVM by reflection ends this engine");
    }
    JvmCaches.switchOff();
    JvmCaches.startThreads();
    UrlHandlers.install();
  }

  /**
   * @param memory null in a host of ApplicationMasters, which has none to lend
   */
  private static EngineService service(
      HostedContainers containers,
      UserContainers ofUser,
      EngineReadings readings,
      NodeMemory memory,
      EngineProfiler profiler) {
    return memory == null
        ? new EngineService(
            containers, ofUser, readings, part -> {}, job -> {}, path -> 0, profiler)
        : new EngineService(
            containers,
            ofUser,
            readings,
            memory::limitPool,
            memory::endJob,
            memory::dropCached,
            profiler);
  }

  /** Never in a task's group: such threads outlive tasks and see to their end. */
  private static ThreadFactory threads(String name) {
    ThreadGroup engineGroup = Thread.currentThread().getThreadGroup();
    return runnable -> {
      Thread thread = new Thread(engineGroup, runnable, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private static void fill(NodeMemory memory, BooleanSupplier idle, Runnable then, Logger log) {
    memory
        .filler()
        .start(
            threads("pools"),
            idle,
            () -> {
              // What was made last is still young: better moved now than twice within a job.
              System.gc();
              memory.heap().watch(HeapSampler.start(threads("heap-sampler")));
              then.run();
            },
            lacking -> {
              log.error(
                  "The engine's JVM does not have the memory it was given: lower"
                      + " mammoth.engine.memory-mb or mammoth.memory.pool-fraction",
                  lacking);
              Runtime.getRuntime().halt(1);
            });
  }

  private static void rehearse(
      Configuration conf, TaskSurroundings shared, EngineHome home, BooleanSupplier idle) {
    long budgetMs = EngineKeys.REHEARSAL_MS.get(conf);
    if (budgetMs > 0) {
      Path folder = home.folder().resolve("rehearsal");
      Rehearsal rehearsal =
          new Rehearsal(conf, shared, shared.vitals().user(), folder, threads("rehearsal"), idle);
      threads("rehearsal")
          .newThread(() -> rehearsal.run(budgetMs, shared.memory()::endJob))
          .start();
    }
  }
}
