// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.mammoth.engine.config.EngineKeys;

/**
 * The launch of a MapReduce ApplicationMaster, and whether a standing host may run it: a small job
 * whose ApplicationMaster asks for nothing that a process of its own would be needed for.
 */
public final class AppMasterCommand {

  private static final String MAIN = " " + MRJobConfig.APPLICATION_MASTER_CLASS + " ";

  private static final List<Pattern> HARMLESS_OPTIONS =
      List.of(
          Pattern.compile("-Dyarn\\.app\\.mapreduce\\.\\S+"),
          Pattern.compile("-Dhadoop\\.root\\.(logger|logfile)=\\S*"));

  private AppMasterCommand() {}

  public static boolean isMapReduce(List<String> commands) {
    return commands.size() == 1 && commands.get(0).contains(MAIN);
  }

  /** Why the ApplicationMaster needs a process of its own, empty if it does not. */
  static Optional<String> reasonAgainst(List<String> commands, Configuration job) {
    List<String> options = options(commands);
    for (String option : options) {
      if (!CommandRules.isHarmless(option)
          && HARMLESS_OPTIONS.stream().noneMatch(known -> known.matcher(option).matches())) {
        return Optional.of("its ApplicationMaster's options ask for " + option);
      }
    }
    return CommandRules.reasonAgainstHeap(options)
        .or(() -> CommandRules.reasonAgainstLog(CommandRules.properties(options)))
        .or(() -> reasonAgainst(job));
  }

  /** What its command sets. */
  public static Map<String, String> properties(List<String> commands) {
    return CommandRules.properties(options(commands));
  }

  /** Threshold of its log: the name of a log4j level. */
  public static String logLevel(List<String> commands) {
    return CommandRules.logLevel(properties(commands));
  }

  /** Path of the java command as written, variables unexpanded. */
  static String java(List<String> commands) {
    return words(commands).get(0);
  }

  private static List<String> words(List<String> commands) {
    return List.of(commands.get(0).trim().split("\\s+"));
  }

  /** What stands between the java command and the main class. */
  static List<String> options(List<String> commands) {
    List<String> words = words(commands);
    int main = words.indexOf(MAIN.trim());
    return words.subList(1, main < 0 ? words.size() : main);
  }

  private static Optional<String> reasonAgainst(Configuration job) {
    if (!EngineKeys.ENABLED.get(job) || !EngineKeys.WARM_APP_MASTER.get(job)) {
      return Optional.of("it is switched off (" + EngineKeys.WARM_APP_MASTER.name() + ")");
    }
    long tasks =
        (long) job.getInt(MRJobConfig.NUM_MAPS, 1) + job.getInt(MRJobConfig.NUM_REDUCES, 1);
    if (tasks > EngineKeys.WARM_APP_MASTER_MAX_TASKS.get(job)) {
      return Optional.of(
          "the job has " + tasks + " tasks (" + EngineKeys.WARM_APP_MASTER_MAX_TASKS.name() + ")");
    }
    if (job.getBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, false)) {
      return Optional.of("it may run its tasks in its ApplicationMaster");
    }
    if (job.getBoolean(MRJobConfig.MAPREDUCE_JOB_CLASSLOADER, false)
        || job.getBoolean(MRJobConfig.MAPREDUCE_JOB_USER_CLASSPATH_FIRST, false)) {
      return Optional.of("it orders its class path itself");
    }
    return Optional.empty();
  }
}
