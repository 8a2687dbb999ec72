// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.mammoth.engine.isolation.JdkProperties;
import org.mammoth.engine.memory.LargestHeap;

/**
 * What a task's command line and environment say about whether it can be a thread. An option that
 * only sizes the heap or chooses a collector or compiler means nothing in an engine and is let
 * through; any other that the framework itself did not write asks for a process of its own.
 */
public final class CommandRules {

  private static final List<Pattern> HARMLESS_OPTIONS =
      List.of(
          Pattern.compile("-X(mx|ms|mn)\\d+[kKmMgG]?"),
          Pattern.compile("-server|-Xshare:\\S+"),
          Pattern.compile("-XX:[+-](Use\\w*GC|UseAdaptiveSizePolicy|UseGCOverheadLimit)"),
          Pattern.compile("-XX:([+-]TieredCompilation|TieredStopAtLevel=\\d)"),
          Pattern.compile("-XX:[+-]?(HeapDump\\w+|ExitOnOutOfMemoryError)(=\\S*)?"),
          Pattern.compile("-XX:(ParallelGCThreads|ConcGCThreads|NewRatio|SurvivorRatio)=\\d+"),
          Pattern.compile("-XX:(Max)?(Metaspace|Perm|NewSize|DirectMemory)\\w*=\\w+"),
          Pattern.compile("-XX:\\+IgnoreUnrecognizedVMOptions"),
          Pattern.compile("-Djava\\.net\\.preferIPv4Stack=true"),
          Pattern.compile("-Dhadoop\\.metrics\\.log\\.level=\\S+"),
          Pattern.compile("-Djava\\.io\\.tmpdir=\\S+/tmp"),
          Pattern.compile("-Djava\\.security\\.egd=\\S+"),
          Pattern.compile("-Dlog4j\\.configuration=container-log4j\\.properties"),
          Pattern.compile("-Dhadoop\\.root\\.(logger|logfile)=\\S*"),
          Pattern.compile("-Dyarn\\.app\\.(container\\.log|mapreduce\\.shuffle)\\.\\S+"));

  private static final Pattern PROPERTY = Pattern.compile("-D([^=]+)(=.*)?");

  /** Read from the JVM's own properties by classes that tasks share. */
  private static final List<String> READ_BY_LIBRARIES =
      List.of(
          "avro.",
          "com.",
          "dfs.",
          "file.",
          "hadoop.",
          "io.",
          "java.",
          "jute.",
          "line.",
          "log4j",
          "org.",
          "path.",
          "proc_",
          "slf4j.",
          "stderr.",
          "stdout.",
          "user.",
          "yarn.",
          "zookeeper.");

  /**
   * Variables that the JVM or the C library asks for itself. All others a task has for itself; the
   * library path is known by what it leads to, see {@code NativeCalls}.
   */
  private static final Pattern OF_PROCESS =
      Pattern.compile(
          "(?!LD_LIBRARY_PATH$)((LD|LC|KRB5)_.*|KRB5CCNAME|LANG|LANGUAGE|LOCPATH|NLSPATH"
              + "|GCONV_PATH|RES_OPTIONS|LOCALDOMAIN|HOSTALIASES|TZ|TZDIR"
              + "|_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS)");

  /** Upstream's ContainerRuntimeConstants. */
  private static final String RUNTIME = "YARN_CONTAINER_RUNTIME_TYPE";

  private static final String DEFAULT_RUNTIME = "default";

  /** Less is not enough for Hadoop's classes. */
  private static final long LEAST_HEAP_BYTES = 8L << 20;

  /** Level and appender of a container's log. */
  public static final String ROOT_LOGGER = "hadoop.root.logger";

  /** Set for reduces whose shuffle has a log of its own. */
  public static final String SHUFFLE_LOGGER = "yarn.app.mapreduce.shuffle.logger";

  /** A level, and one of upstream's appenders of {@code container-log4j.properties}. */
  private static final Pattern LOGGER = Pattern.compile("[^,]+,(?:shuffle)?(CLA|CRLA)");

  /** Of all others, those that log4j does not know among them, upstream makes DEBUG or finer. */
  private static final Set<String> LEVELS = Set.of("INFO", "WARN", "ERROR", "FATAL", "OFF");

  private final Map<String, String> ofNode;

  /**
   * @param ofNode the environment that engines have
   */
  CommandRules(Map<String, String> ofNode) {
    this.ofNode = ofNode;
  }

  /** Why the command needs a process, empty if it does not. */
  Optional<String> reasonAgainst(TaskCommand command) {
    for (String option : command.options()) {
      if (!isHarmless(option)) {
        return Optional.of("the job's java.opts ask for " + option);
      }
    }
    return reasonAgainstHeap(command.options()).or(() -> reasonAgainstLog(command.properties()));
  }

  /** A heap with which no JVM starts, as one whose unit was forgotten, ends as it would there. */
  static Optional<String> reasonAgainstHeap(List<String> options) {
    String all = String.join(" ", options);
    long largest = LargestHeap.in(all).orElse(Long.MAX_VALUE);
    return largest < LEAST_HEAP_BYTES || LargestHeap.atOnce(all).orElse(0) > largest
        ? Optional.of("no JVM starts with the heap that its java.opts ask for")
        : Optional.empty();
  }

  /**
   * Why a container's log is none that an engine can keep, empty if it can.
   *
   * @param properties what its command sets
   */
  static Optional<String> reasonAgainstLog(Map<String, String> properties) {
    String level = logLevel(properties);
    if (!LEVELS.contains(level)) {
      return Optional.of("its log level is " + level + ", below the engine's INFO");
    }
    return Stream.of(ROOT_LOGGER, SHUFFLE_LOGGER)
        .filter(properties::containsKey)
        .filter(key -> !LOGGER.matcher(properties.get(key)).matches())
        .findFirst()
        .map(key -> "its log goes elsewhere (-D" + key + "=" + properties.get(key) + ")");
  }

  /** Threshold of the container's log: the name of a log4j level. */
  static String logLevel(Map<String, String> properties) {
    String logger = properties.getOrDefault(ROOT_LOGGER, "INFO,CLA");
    return logger.split(",")[0].trim().toUpperCase(Locale.ROOT);
  }

  /** Whether a logger's file is rolled when it has its size. */
  public static boolean isRolled(String logger) {
    Matcher known = LOGGER.matcher(logger);
    return known.matches() && known.group(1).equals("CRLA");
  }

  /** What {@code -Dname=value} options set; of two for one name the last counts, as in a JVM. */
  static Map<String, String> properties(List<String> options) {
    Map<String, String> properties = new HashMap<>();
    for (String option : options) {
      int equals = option.indexOf('=');
      if (option.startsWith("-D")) {
        properties.put(
            option.substring(2, equals < 0 ? option.length() : equals),
            equals < 0 ? "" : option.substring(equals + 1));
      }
    }
    return properties;
  }

  /** Why the container's environment needs a process, empty if it does not. */
  Optional<String> reasonAgainst(Map<String, String> environment) {
    if (runsElsewhere(environment)) {
      return Optional.of("it runs in a " + environment.get(RUNTIME) + " container");
    }
    return environment.entrySet().stream()
        .filter(variable -> OF_PROCESS.matcher(variable.getKey()).matches())
        .filter(variable -> !variable.getValue().equals(ofNode.get(variable.getKey())))
        .findFirst()
        .map(variable -> "its environment sets " + variable.getKey());
  }

  /** Whether it runs in an image of its own, which need not have this node's files. */
  public static boolean runsElsewhere(Map<String, String> environment) {
    return !environment.getOrDefault(RUNTIME, DEFAULT_RUNTIME).equals(DEFAULT_RUNTIME);
  }

  /** Whether an option of the java command means nothing to a thread, or can be had by one. */
  static boolean isHarmless(String option) {
    return HARMLESS_OPTIONS.stream().anyMatch(known -> known.matcher(option).matches())
        || OpenPackages.include(option)
        || isOwnProperty(option);
  }

  /** Whether it sets a property that user code alone reads: a task has properties of its own. */
  private static boolean isOwnProperty(String option) {
    Matcher property = PROPERTY.matcher(option);
    return property.matches()
        && !JdkProperties.reads(property.group(1))
        && !JdkProperties.readOnce().contains(property.group(1))
        && READ_BY_LIBRARIES.stream().noneMatch(property.group(1)::startsWith);
  }
}
