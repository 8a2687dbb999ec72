// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The environment that a container's launch script gives its process: {@link InheritedVariables},
 * unless the container sets them itself, then the container's, with references to other variables
 * replaced (upstream's ContainerExecutor.writeLaunchEnv). The script's shell does more than replace
 * {@code $NAME} and <code>${NAME}</code>; {@link #reasonAgainst} tells which containers need that.
 * Immutable.
 */
final class ContainerEnvironment {

  private static final Pattern VARIABLE =
      Pattern.compile("\\$(?:([A-Za-z_]\\w*)|\\{([A-Za-z_]\\w*)})");

  private static final Pattern NEEDS_SHELL =
      Pattern.compile("`|\\\\|\"|\\$[(\\[\\d?!@*#$-]|\\$\\{(?![A-Za-z_]\\w*})");

  /** What a shell sets itself, whatever it was told. */
  private static final Pattern OF_SHELL =
      Pattern.compile(
          "BASH\\w*|COMP_WORDBREAKS|DIRSTACK|EPOCH\\w*|EUID|FUNCNAME|GROUPS|HISTCMD|HOSTNAME|HOSTTYPE"
              + "|IFS|LINENO|MACHTYPE|OLDPWD|OPTARG|OPTERR|OPTIND|OSTYPE|PIPESTATUS|PPID|PS4|RANDOM"
              + "|SECONDS|SHELLOPTS|SHLVL|SRANDOM|UID|_");

  /** What it sets unless it was told. */
  private static final Set<String> DEFAULTS_OF_SHELL = Set.of("PATH", "PWD", "SHELL", "TERM");

  /** Letters that mean themselves in a word of a command, wherever they stand. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./^*?-]*");

  /** The script's own process, which the NodeManager gives each container as {@code JVM_PID}. */
  private static final Map.Entry<String, String> OF_NODE_MANAGER = Map.entry("JVM_PID", "$$");

  private final Map<String, String> ofContainer;
  private final Map<String, String> variables = new HashMap<>();

  /**
   * @param inherited what the script passes on unless the container sets it
   * @param ofContainer what the container's launch context sets, values as given
   */
  ContainerEnvironment(Map<String, String> inherited, Map<String, String> ofContainer) {
    this.ofContainer = ofContainer;
    variables.putAll(inherited);
    variables.keySet().removeAll(ofContainer.keySet());
    Expansion expansion = new Expansion(ofContainer, Map.copyOf(variables));
    ofContainer.keySet().forEach(name -> variables.put(name, expansion.of(name, 0)));
  }

  /** Why the values need the script's shell, empty if they do not. */
  Optional<String> reasonAgainst() {
    return ofContainer.entrySet().stream()
        .filter(variable -> !variable.equals(OF_NODE_MANAGER) && needsShell(variable.getValue()))
        .findFirst()
        .map(variable -> "its environment variable " + variable.getKey() + " needs a shell");
  }

  private boolean needsShell(String value) {
    return NEEDS_SHELL.matcher(value).find()
        || VARIABLE
            .matcher(value)
            .results()
            .map(ContainerEnvironment::nameIn)
            .anyMatch(
                name ->
                    OF_SHELL.matcher(name).matches()
                        || DEFAULTS_OF_SHELL.contains(name) && !variables.containsKey(name));
  }

  /**
   * A word of the container's command as its two shells leave it: the launch script hands the
   * command to another shell, in double quotes (upstream's ContainerLaunch). Empty if the word has
   * quotes, patterns or substitutions that only a shell reads.
   */
  Optional<String> word(String text) {
    if (needsShell(text)) {
      return Optional.empty();
    }
    String expanded = expand(text);
    return PLAIN.matcher(expanded).matches() ? Optional.of(expanded) : Optional.empty();
  }

  /** Names and final values. */
  Map<String, String> variables() {
    return variables;
  }

  /** A text with references to these variables replaced; unknown ones are empty, as in a shell. */
  String expand(String text) {
    return replace(text, name -> variables.getOrDefault(name, ""));
  }

  private static String replace(String text, UnaryOperator<String> valueOf) {
    return VARIABLE
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(valueOf.apply(nameIn(match))));
  }

  private static String nameIn(MatchResult match) {
    return match.group(1) != null ? match.group(1) : match.group(2);
  }

  /**
   * Upstream orders the script's exports by their dependencies, so order does not matter here. The
   * shell itself starts with the values as they were given: that is what a variable finds that
   * refers to itself.
   */
  private record Expansion(Map<String, String> raw, Map<String, String> inherited) {

    String of(String name, int depth) {
      String text = raw.get(name);
      if (text == null) {
        return inherited.getOrDefault(name, "");
      }
      return depth > raw.size()
          ? text
          : replace(text, other -> other.equals(name) ? text : of(other, depth + 1));
    }
  }
}
