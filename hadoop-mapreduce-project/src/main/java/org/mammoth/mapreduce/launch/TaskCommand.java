// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.mammoth.engine.memory.LargestHeap;

/**
 * A container's command, recognised as the start of one MapReduce task: the shape that upstream's
 * {@code MapReduceChildJVM} writes, and no other.
 *
 * @param java path of the java command as written, variables unexpanded
 * @param options options of the JVM
 * @param arguments what YarnChild's main gets: host, port, attempt, JVM id
 * @param attempt the task attempt
 */
public record TaskCommand(
    String java, List<String> options, List<String> arguments, TaskAttemptID attempt) {

  public static final String YARN_CHILD = "org.apache.hadoop.mapred.YarnChild";

  private static final int ARGUMENTS = 4;

  /** Recognises a launch context's commands; empty if this is not one MapReduce task. */
  public static Optional<TaskCommand> recognise(List<String> commands) {
    if (commands.size() != 1) {
      return Optional.empty();
    }
    List<String> words = new ArrayList<>(List.of(commands.get(0).trim().split("\\s+")));
    int main = words.indexOf(YARN_CHILD);
    int redirections = main + 1 + ARGUMENTS;
    if (main < 1
        || words.size() != redirections + 2
        || !words.get(0).endsWith("/bin/java")
        || !words.get(redirections).startsWith("1>")
        || !words.get(redirections + 1).startsWith("2>")) {
      return Optional.empty();
    }
    List<String> arguments = List.copyOf(words.subList(main + 1, redirections));
    try {
      Integer.parseInt(arguments.get(1));
      Long.parseLong(arguments.get(3));
      TaskAttemptID attempt = TaskAttemptID.forName(arguments.get(2));
      return Optional.of(
          new TaskCommand(words.get(0), List.copyOf(words.subList(1, main)), arguments, attempt));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Threshold of the task's log: the name of a log4j level. */
  public String logLevel() {
    return CommandRules.logLevel(properties());
  }

  /** The largest heap that its JVM would have, MiB; 0 if the options leave that to the JVM. */
  public long heapMb() {
    return LargestHeap.in(String.join(" ", options)).orElse(0) >> 20;
  }

  /** What {@code -Dname=value} options set; of two for one name the last counts, as in a JVM. */
  public Map<String, String> properties() {
    return CommandRules.properties(options);
  }
}
