// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.mammoth.engine.statics.StaticsAgent;
import org.mammoth.mapreduce.nodemanager.classes.RewrittenClassFiles;

/**
 * The script that {@code container-executor} runs as an engine's user: it makes the engine's folder
 * and becomes the engine. It begins with the streams, which the program closes, and gives the
 * engine none of the variables that the NodeManager has for itself alone.
 */
final class EngineScript {

  /** What is said of the node, and nothing else of the NodeManager's own variables. */
  private static final Predicate<String> OF_NODE =
      Pattern.compile(
              "PATH|JAVA_HOME|LANG|LANGUAGE|LC_\\w+|TZ|TZDIR|LD_LIBRARY_PATH|KRB5_CONFIG"
                  + "|MALLOC_ARENA_MAX|HADOOP_(\\w+_)?HOME|HADOOP_CONF_DIR|MAMMOTH_CDS_DIR")
          .asMatchPredicate();

  private static final String END = "END_OF_AGENT";

  private final EngineLauncher.Places places;
  private final Path output;
  private final RewrittenClassFiles.Kept kept;

  /**
   * @param output file for what the engine writes to its streams
   * @param kept what {@code places.classes()} is
   */
  EngineScript(EngineLauncher.Places places, Path output, RewrittenClassFiles.Kept kept) {
    this.places = places;
    this.output = output;
    this.kept = kept;
  }

  /**
   * The script's text.
   *
   * @param command the engine's
   * @param ofNodeManager variables of this process
   * @param own variables of the engine beside those of the node
   */
  String text(List<String> command, Map<String, String> ofNodeManager, Map<String, String> own)
      throws IOException {
    Map<String, String> variables = new TreeMap<>();
    ofNodeManager.forEach(
        (name, value) -> {
          if (OF_NODE.test(name)) {
            variables.put(name, value);
          }
        });
    variables.putAll(own);
    List<String> words = new ArrayList<>(List.of("exec", "env", "-i"));
    variables.forEach((name, value) -> words.add(quoted(name + "=" + value)));
    command.forEach(word -> words.add(quoted(word)));
    String home = quoted(places.home().toString());
    String classes = quoted(places.classes().toString());
    return String.join(
        "\n",
        "#!/usr/bin/env bash",
        "exec </dev/null >>" + quoted(output.toString()) + " 2>&1",
        "set -e",
        // The NodeManager's group may pass, but not look around.
        "umask 0067",
        "mkdir -p " + home + " " + quoted(places.classes().getParent().toString()),
        "umask 0077",
        "mkdir -p " + home + "/tmp " + home + "/empty",
        "base64 -d >" + quoted(places.agent().toString()) + " <<'" + END + "'",
        agent(),
        END,
        "for each in "
            + quoted(places.classes().resolveSibling(kept.prefix()).toString())
            + "*; do",
        "  [ \"$each\" = " + classes + " ] || rm -f \"$each\"",
        "done",
        // Begins with what is rewritten ahead, if this user may read it; the rest comes by itself.
        "[ -e " + classes + " ] || cp -- " + ahead() + " " + classes + " 2>/dev/null || true",
        ": >>" + classes,
        "cd " + home + "/empty",
        "umask 0027",
        String.join(" ", words),
        "");
  }

  private String ahead() {
    return quoted(kept.ahead().map(Path::toString).orElse("/dev/null"));
  }

  private static String agent() throws IOException {
    Path jar = Files.createTempFile("mammoth-agent", ".jar");
    try {
      StaticsAgent.writeJar(jar);
      return Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(Files.readAllBytes(jar));
    } finally {
      Files.delete(jar);
    }
  }

  /** One word for a shell, whatever is in it. */
  static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
