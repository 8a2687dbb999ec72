// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mammoth.config.names.KeyNames;

/**
 * The one setting that would keep a job's tasks in engines, by the reason their NodeManager gave.
 * Where the reason names a key, it is that; the others are those of docs/troubleshooting.md.
 */
final class FallbackRemedies {

  /** A key in the reason's own words. */
  private static final Pattern KEY =
      Pattern.compile("\\((?:allow it with |-Xmx in )?((?:mammoth|mapreduce|yarn)\\.[a-z.-]+)\\)");

  private static final List<Rule> RULES =
      List.of(
          rule(
              "its classes go before Hadoop's", "mapreduce.job.classloader", "set it to true, too"),
          rule("its heap of up to", KeyNames.ENGINE_MEMORY_MB, "raise it, or give a smaller -Xmx"),
          rule(
              "that the engine of",
              KeyNames.IDLE_YIELD_MS,
              "lower it, or let users work one after another"),
          rule("it asks for", KeyNames.ENGINE_MEMORY_MB, "raise it; 0 admits what YARN places"),
          rule("it is profiled", "mapreduce.task.profile", "set it to false"),
          rule(
              "it brings its own Hadoop",
              "mapreduce.application.framework.path",
              "remove it from the job"),
          rule(
              "it brings its own log4j file",
              "mapreduce.job.log4j-properties-file",
              "remove it from the job"),
          rule("its log level is", "mapreduce.map.log.level", "INFO or above; of reduces likewise"),
          rule("its log goes elsewhere", "mapreduce.map.java.opts", "remove the option it names"),
          rule(
              "the job's java.opts ask for",
              "mapreduce.map.java.opts",
              "remove the option; from mapreduce.reduce.java.opts, too"),
          rule("no JVM starts with the heap", "mapreduce.map.java.opts", "write it as -Xmx1024m"),
          rule("it may read the cache file", KeyNames.CACHE_LINKS, "set it to true"),
          rule("was running in", KeyNames.QUARANTINE_DEATHS, "first look at why the engines died"),
          rule(
              "the engine did not start within",
              KeyNames.START_TIMEOUT_MS,
              "raise it if the node is slow"),
          rule(
              "a library that tasks share needs",
              KeyNames.SHARED_JARS,
              "name the jar of that class, on the NodeManagers' class path"),
          rule(
              "its static fields of Hadoop's cannot be made",
              KeyNames.SHARED_JARS,
              "take the jar out of it and restart the NodeManager"),
          rule("is switched off on this node", KeyNames.ENGINE_ENABLED, "switch it on on the node"),
          rule("the tasks in the engine hold", KeyNames.ENGINE_MEMORY_MB, "raise it"),
          rule(
              "its environment sets",
              "mapreduce.map.env",
              "remove the variable, or give the NodeManager the same value"),
          rule("its environment variable", "mapreduce.map.env", "write a plain value"));

  private record Rule(String words, Remedy remedy) {}

  /**
   * What to do.
   *
   * @param key empty if no setting changes it
   * @param text what to do with it, or why there is nothing to set
   */
  record Remedy(String key, String text) {}

  private FallbackRemedies() {}

  private static Rule rule(String words, String key, String text) {
    return new Rule(words, new Remedy(key, text));
  }

  static Remedy of(String reason) {
    for (Rule rule : RULES) {
      if (reason.contains(rule.words())) {
        return rule.remedy();
      }
    }
    Matcher named = KEY.matcher(reason);
    if (named.find()) {
      return new Remedy(named.group(1), "the reason names it");
    }
    if (reason.startsWith("it is a pipes job")) {
      return new Remedy("", "its tasks are programs and need processes in any case");
    }
    return new Remedy("", "no setting is known to change it; see docs/troubleshooting.md");
  }
}
