// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.util.List;
import java.util.regex.Pattern;
import org.mammoth.compat.cluster.MiniCluster;

/** What of a report names the run and not what it saw. Immutable. */
final class Masks {
  private record Mask(Pattern pattern, String by) {}

  /** Topics that two processes of stock do not agree in, or that say what an engine is. */
  private static final Pattern PASSED_OVER =
      Pattern.compile(
          String.join(
              "|",
              // The process itself: what its class path and command are.
              "see \\w+ property\\.(java\\.class\\.path|sun\\.java\\.command|java\\.library\\.path)",
              "see \\w+ property\\.(jdk\\.debug|java\\.vm\\..*|sun\\.management.*)",
              // Told apart on purpose, see docs/isolation.md.
              "see \\w+ caller",
              "see \\w+ log4j\\.level\\.org\\.apache\\.hadoop\\.(mapred\\.Merger|mapreduce\\.task\\.reduce)",
              // A shell's own.
              "see \\w+ (child-env|exec-env|builder-env|env)\\.(_|SHLVL|OLDPWD|JVM_PID|LOCALIZATION_COUNTERS)"));

  private final List<Mask> masks;

  Masks(MiniCluster cluster) {
    masks =
        List.of(
            mask(Pattern.quote(cluster.home().toString()), "HOME"),
            mask("container_\\d+_\\d+_\\d+_\\d+", "CONTAINER"),
            mask("attempt_\\d+_\\d+_[mr]_\\d+_\\d+", "ATTEMPT"),
            mask("(task|job|application|appattempt|local)_\\d+_\\d+(_[mr]?_?\\d+)?", "JOB"),
            mask("(127\\.0\\.0\\.1|localhost|0\\.0\\.0\\.0):\\d+", "ADDRESS"),
            mask("@[0-9a-f]{4,}", "@HASH"),
            mask("\\b1\\d{12}\\b", "TIME"),
            mask("\\b(alice|bob)\\b", "USER"),
            mask("filecache/\\d+", "filecache/N"),
            // Ours by class, the JDK's by all that they do, see docs/isolation.md.
            mask("org\\.mammoth\\.engine\\.isolation\\.TaskProperties", "java.util.Properties"),
            mask("org\\.mammoth\\.engine\\.logs\\.TaskStreams", "java.io.PrintStream"));
  }

  private static Mask mask(String pattern, String by) {
    return new Mask(Pattern.compile(pattern), by);
  }

  String mask(String line) {
    String masked = line;
    for (Mask mask : masks) {
      masked = mask.pattern.matcher(masked).replaceAll(mask.by);
    }
    return masked;
  }

  boolean isPassedOver(String topic) {
    return PASSED_OVER.matcher(topic).matches();
  }
}
