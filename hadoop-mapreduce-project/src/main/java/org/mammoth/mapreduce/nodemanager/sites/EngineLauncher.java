// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.Shell;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.isolation.CommonPoolThreads;
import org.mammoth.engine.isolation.loading.SharedJars;
import org.mammoth.engine.statics.StaticsAgent;
import org.mammoth.mapreduce.disks.DataNodeDirs;
import org.mammoth.mapreduce.disks.LocalDirs;
import org.mammoth.mapreduce.engine.memory.NodeMemory;
import org.mammoth.mapreduce.launch.EngineEnvironment;
import org.mammoth.mapreduce.nodemanager.classes.ArchiveTrust;
import org.mammoth.mapreduce.nodemanager.classes.ClassArchive;
import org.mammoth.mapreduce.nodemanager.classes.EngineJava;
import org.mammoth.mapreduce.nodemanager.classes.RewrittenClassFiles;
import org.mammoth.mapreduce.nodemanager.processes.Niceness;
import org.mammoth.mapreduce.nodemanager.processes.UserProcesses;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts engine processes: chooses the command, the class path (the NodeManager's own) and where
 * the output goes. An engine is a session of its own, so that it survives a NodeManager restart.
 */
public final class EngineLauncher {

  private static final Logger LOG = LoggerFactory.getLogger(EngineLauncher.class);

  private static final String ENGINE_MAIN = "org.mammoth.mapreduce.engine.EngineMain";

  private static final String OUR_KEYS = "mammoth.";

  /** Where the keys of an encrypted shuffle are, and what is asked of them. */
  private static final String TLS_KEYS = "hadoop.ssl.";

  private static final Set<String> SHARED_KEYS =
      Set.of(
          YarnConfiguration.NM_LOCAL_DIRS,
          // what children of tasks may use, and how they are ended
          YarnConfiguration.NM_CONTAINER_MONITOR_ENABLED,
          YarnConfiguration.NM_PMEM_CHECK_ENABLED,
          YarnConfiguration.NM_MEMORY_RESOURCE_ENABLED,
          YarnConfiguration.NM_MEMORY_RESOURCE_ENFORCED,
          YarnConfiguration.NM_ELASTIC_MEMORY_CONTROL_ENABLED,
          YarnConfiguration.NM_RESOURCE_MON_INTERVAL_MS,
          YarnConfiguration.NM_CONTAINER_MON_INTERVAL_MS,
          YarnConfiguration.NM_SLEEP_DELAY_BEFORE_SIGKILL_MS,
          MRJobConfig.MAP_MEMORY_MB,
          ShuffleKeys.SSL_ENABLED,
          DataNodeDirs.KEY);

  /** Options by which an administrator takes another collector than ours. */
  private static final Pattern CHOOSES_COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC\\b");

  /** Options by which he takes another heap. */
  private static final Pattern CHOOSES_HEAP = Pattern.compile("-Xm[sx]|HeapSize=|RAMPercentage=");

  private final Configuration conf;
  private final Supplier<String> spinningDirs;
  private final EngineJava java;
  private final SharedJars shared;
  private final String sharedClassPath;
  private final RewrittenClassFiles rewrittenClasses;

  private final ArchiveTrust archiveTrust = new ArchiveTrust();

  private static final long FIRST_METASPACE_MB = 96;

  private static final int LAST_JAVA_WITH_BIASED_LOCKS = 17;

  /**
   * Starts engines that are configured like this NodeManager.
   *
   * @param spinningDirs what to tell them of its disks; may take a moment
   */
  public EngineLauncher(Configuration conf, Supplier<String> spinningDirs) {
    this.conf = conf;
    this.spinningDirs = spinningDirs;
    this.java = EngineJava.of(conf);
    this.rewrittenClasses = new RewrittenClassFiles(java);
    this.shared = SharedJars.with(EngineKeys.SHARED_JARS.get(conf));
    this.sharedClassPath = shared.of(System.getProperty("java.class.path"));
  }

  /**
   * Starts an engine; it is not yet listening on return.
   *
   * @param role what it hosts: {@link EngineHome#TASKS} or {@link EngineHome#APP_MASTERS}
   * @param sizing how large it is
   */
  Process start(EngineHome home, String user, String role, EngineSizing sizing) throws IOException {
    Configuration settings = settings();
    // Only container-executor makes control groups.
    settings.unset(YarnConfiguration.NM_MEMORY_RESOURCE_ENABLED);
    try (OutputStream out = Files.newOutputStream(home.settings())) {
      settings.writeXml(out);
    }
    List<String> command = new ArrayList<>(Niceness.prefix(conf));
    if (Shell.isSetsidAvailable) {
      command.add("setsid");
    }
    Path agent = home.folder().resolve("agent.jar");
    StaticsAgent.writeJar(agent);
    Files.createDirectories(home.folder().resolve("tmp"));
    Path kept = rewrittenClasses.in(home.folder().getParent(), rewrittenClasses(role));
    Places places = new Places(home.folder(), agent, Path.of(logFolder()), kept);
    command.addAll(command(places, user, role, sizing));
    ProcessBuilder builder = new ProcessBuilder(command);
    // Code that no loader of ours rewrites resolves relative names here: against nothing.
    builder.directory(Files.createDirectories(home.folder().resolve("empty")).toFile());
    builder.environment().clear();
    builder.environment().putAll(environment());
    builder.environment().put("CLASSPATH", classPath());
    File output = outputFile(home.engineId());
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    // Appended to, so that the engine may shorten it.
    Files.deleteIfExists(output.toPath());
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(output));
    builder.redirectErrorStream(true);
    return builder.start();
  }

  /**
   * Where an engine finds its things.
   *
   * @param home its own folder, in which there is one named {@code tmp}
   * @param agent jar of {@link StaticsAgent}
   * @param logs folder of its log
   * @param classes file of the classes that earlier ones have rewritten
   */
  public record Places(Path home, Path agent, Path logs, Path classes) {}

  /** The java command of an engine; its class path goes into the environment. */
  public List<String> command(Places places, String user, String role, EngineSizing sizing)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java.program().toString());
    command.addAll(javaOptions(places, user, role, sizing));
    command.add(ENGINE_MAIN);
    command.add(places.home().toString());
    command.add(role);
    return command;
  }

  /** What an engine's variable {@code CLASSPATH} is: what tasks share of the NodeManager's. */
  String classPath() {
    return archive().map(found -> found.inFrontOf(sharedClassPath)).orElse(sharedClassPath);
  }

  /** What an engine has beside its class path. */
  Map<String, String> environment() {
    return EngineEnvironment.read(conf);
  }

  /** The class archive, unless it has jars that tasks must not share. */
  private Optional<ClassArchive> archive() {
    Optional<ClassArchive> found = ClassArchive.find(conf);
    List<String> others = found.map(each -> shared.othersOf(each.jars())).orElse(List.of());
    if (others.isEmpty()) {
      return found;
    }
    LOG.info(
        "Engines start without the class archive of {}, which has jars that tasks do not share,"
            + " such as {}: run mammoth cds",
        found.get().folder(),
        others.get(0));
    return Optional.empty();
  }

  /** The engine and its NodeManager must not differ in what they divide the node by. */
  Configuration settings() {
    Configuration settings = new Configuration(false);
    for (Map.Entry<String, String> property : conf) {
      String name = property.getKey();
      if (name.startsWith(OUR_KEYS) || name.startsWith(TLS_KEYS) || SHARED_KEYS.contains(name)) {
        settings.set(name, conf.get(name));
      }
    }
    settings.set(IoKeys.SPINNING_DIRS.name(), spinningDirs.get());
    return settings;
  }

  /** The control groups of an engine that starts, by all of the NodeManager's configuration. */
  UserProcesses.Size groups(EngineSizing sizing) {
    return sizing.groups(conf, 0);
  }

  private List<String> javaOptions(Places places, String user, String role, EngineSizing sizing)
      throws IOException {
    List<String> options = new ArrayList<>();
    options.add("-Xmx" + sizing.heapMb() + "m");
    options.add("-XX:MaxDirectMemorySize=" + sizing.directLimitMb(conf) + "m");
    options.add("-D" + NodeMemory.SHARE_PROPERTY + "=" + sizing.shareMb());
    options.add("-D" + NodeMemory.DIVIDED_PROPERTY + "=" + sizing.dividedMb());
    String more = EngineKeys.JAVA_OPTS.get(conf).trim();
    if (!CHOOSES_COLLECTOR.matcher(more).find()) {
      // A second choice would stop the JVM before it starts.
      options.add("-XX:+UseParallelGC");
    }
    // Growing to where every engine ends up costs full collections on the way.
    options.add("-XX:MetaspaceSize=" + FIRST_METASPACE_MB + "m");
    options.add("-XX:MaxMetaspaceSize=" + 2 * EngineKeys.RECYCLE_METASPACE_MB.get(conf) + "m");
    if (role.equals(EngineHome.TASKS)) {
      // The pools make most of what a first job allocates live for good: a collector that adapts
      // takes it for a sign to shrink the young generation to a few megabytes, and then collects
      // them again and again. Memory that is never used is not touched either way.
      options.add("-Xms" + sizing.heapMb() + "m");
      options.add("-XX:-UseAdaptiveSizePolicy");
      // What outlives two collections is the pools' or a task's for its life: without adaption it
      // would be copied fifteen times before it may leave the young generation.
      options.add("-XX:MaxTenuringThreshold=2");
      // Upstream takes a lock or two that nobody else wants for each record (collect, counters,
      // streams): a tenth of a job's time. Java says at start that it will drop the option, and
      // has.
      if (java.feature() <= LAST_JAVA_WITH_BIASED_LOCKS) {
        options.add("-XX:+UseBiasedLocking");
      }
    } else {
      // ApplicationMasters run for seconds and wait most of them: the optimising compiler takes
      // more time than it saves.
      options.add("-XX:TieredStopAtLevel=1");
      long idleMb = EngineKeys.APP_MASTER_HOST_HEAP_MB.get(conf);
      if (sizing.heapMb() > idleMb && !CHOOSES_HEAP.matcher(more).find()) {
        // It has what its jobs reserve, and grows beyond what it may keep for one that needs it
        // only; by itself a JVM begins with a part of the node's memory.
        options.add("-Xms" + idleMb + "m");
      }
    }
    options.addAll(java.options());
    options.add(StaticsAgent.option(places.agent(), fastRecords(role), places.classes()));
    options.add(
        "-Djava.util.concurrent.ForkJoinPool.common.threadFactory="
            + CommonPoolThreads.class.getName());
    options.add("-Djava.net.preferIPv4Stack=true");
    options.add("-Dhadoop.log.dir=" + places.logs());
    // The JVM's own report of a crash; where it runs, nothing is left of it.
    options.add("-XX:ErrorFile=" + crashFile(places));
    options.add("-Dmammoth.engine.user=" + user);
    // What libraries leave there goes with the engine's home.
    options.add("-Djava.io.tmpdir=" + places.home().resolve("tmp"));
    String libraries = System.getProperty("java.library.path");
    if (libraries != null && !libraries.isEmpty()) {
      options.add("-Djava.library.path=" + libraries);
    }
    if (archiveTrust.holds()) {
      archive().ifPresent(found -> options.addAll(found.options()));
    }
    if (!more.isEmpty()) {
      options.addAll(List.of(more.split("\\s+")));
    }
    return options;
  }

  /** To be told when an engine listens. */
  void started() {
    archiveTrust.started();
  }

  /** To be told when an engine's process ended before it listened. */
  void endedWhileStarting(String engineId) {
    Optional<ClassArchive> archive = archive();
    if (archive.isPresent() && archiveTrust.ended()) {
      LOG.warn(
          "Engine {} ended while starting, as the one before it. Engines start without the class"
              + " archive of {} from now on, until this NodeManager restarts, if they live so; then"
              + " make it anew by \"mammoth cds\"",
          engineId,
          archive.get().folder());
    }
  }

  /** The file in which engines of a role keep the classes that they rewrite. */
  RewrittenClassFiles.Kept rewrittenClasses(String role) {
    return rewrittenClasses.of(
        role,
        classPath(),
        archive().map(ClassArchive::folder),
        fastRecords(role) ? RewrittenClassFiles.FAST : "");
  }

  private boolean fastRecords(String role) {
    return role.equals(EngineHome.TASKS) && EngineKeys.FAST_RECORDS.get(conf);
  }

  private static Path crashFile(Places places) {
    return places.logs().resolve("mammoth-" + places.home().getFileName() + ".hs_err.log");
  }

  /** Where the NodeManager keeps what an engine writes to its own output. */
  static File outputFile(String engineId) {
    return new File(logFolder(), "mammoth-" + engineId + ".out");
  }

  /** To be called when an engine has ended and its home is gone: others leave files, too. */
  static void removeOldOutputs(Configuration conf, EngineHome ended) {
    Set<Path> homes = new HashSet<>(LocalDirs.of(conf).homes());
    homes.add(ended.folder().getParent());
    OldOutputs.remove(Path.of(logFolder()), homes, OldOutputs.KEPT);
  }

  /** Name and last bytes of the file an engine writes its own output to; empty if there is none. */
  static Map.Entry<String, String> output(String engineId, int bytes) throws IOException {
    File file = outputFile(engineId);
    byte[] end = new byte[(int) Math.min(bytes, file.length())];
    if (end.length > 0) {
      try (RandomAccessFile in = new RandomAccessFile(file, "r")) {
        in.seek(Math.max(0, in.length() - end.length));
        in.readFully(end);
      }
    }
    return Map.entry(file.getName(), new String(end, StandardCharsets.UTF_8));
  }

  /** The folder of the NodeManager's log, made if it is not there. */
  static String logFolder() {
    String folder = System.getProperty("hadoop.log.dir");
    File dir = new File(folder == null ? System.getProperty("java.io.tmpdir") : folder);
    dir.mkdirs();
    return dir.getAbsolutePath();
  }
}
