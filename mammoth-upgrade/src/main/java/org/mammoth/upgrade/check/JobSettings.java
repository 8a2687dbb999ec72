// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.mammoth.upgrade.tree.SiteConfig;

/** What this node's mapred-site.xml has jobs ask for that an engine cannot give. */
final class JobSettings {

  /** Options that an engine leaves out without harm; the NodeManager's own list is longer. */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "-X(mx|ms|mn)\\S+|-server|-verbose:gc|-Xlog:gc\\S*|-XX:\\S+"
              + "|-Djava\\.net\\.preferIPv4Stack=\\S+|-Dhadoop\\.metrics\\.log\\.level=\\S+"
              + "|--add-(opens|exports)(=\\S+)?|java\\.base/\\S+");

  static final List<String> OPTION_KEYS =
      List.of("mapred.child.java.opts", "mapreduce.map.java.opts", "mapreduce.reduce.java.opts");

  private static final String STOCK_COLLECTOR = "org.apache.hadoop.mapred.MapTask$MapOutputBuffer";
  private static final String STOCK_PLUGIN = "org.apache.hadoop.mapreduce.task.reduce.Shuffle";

  private JobSettings() {}

  static List<Finding> check(Facts facts) {
    SiteConfig conf = facts.job();
    List<Finding> found = new ArrayList<>();
    found.addAll(options(conf));
    for (String key :
        List.of("mapreduce.application.framework.path", "mapreduce.job.log4j-properties-file")) {
      conf.find(key)
          .filter(value -> !value.isEmpty())
          .ifPresent(
              value ->
                  found.add(
                      Finding.warning(
                          "falls-back",
                          key + " is " + value + ": tasks of all jobs with it get processes",
                          "remove it where it is not needed")));
    }
    for (String key : List.of("mapreduce.job.user.classpath.first", "mapreduce.task.profile")) {
      if (conf.isTrue(key, false)) {
        found.add(
            Finding.warning(
                "falls-back",
                key + " is true: tasks of all jobs get processes",
                "set it for the jobs that need it"));
      }
    }
    found.addAll(replaced(conf, "mapreduce.job.map.output.collector.class", STOCK_COLLECTOR));
    found.addAll(
        replaced(conf, "mapreduce.job.reduce.shuffle.consumer.plugin.class", STOCK_PLUGIN));
    if (conf.find("mapreduce.task.userlog.limit.kb").filter(kb -> !kb.equals("0")).isPresent()) {
      found.add(
          Finding.warning(
              "falls-back",
              "mapreduce.task.userlog.limit.kb limits logs: tasks of all jobs get processes",
              "remove it"));
    }
    if (found.isEmpty()) {
      found.add(Finding.ok("falls-back", "nothing in mapred-site.xml keeps tasks out of engines"));
    }
    return found;
  }

  private static List<Finding> options(SiteConfig conf) {
    List<Finding> found = new ArrayList<>();
    for (String key : OPTION_KEYS) {
      unknownOption(conf.get(key, ""))
          .ifPresent(
              option ->
                  found.add(
                      Finding.warning(
                          "java-opts",
                          key
                              + " has "
                              + option
                              + ": an engine may not have it, and tasks get processes",
                          "set it for the jobs that need it; the NodeManager's log names what it"
                              + " refuses")));
    }
    return found;
  }

  /** The first of some options that an engine may not have. */
  static Optional<String> unknownOption(String options) {
    return Arrays.stream(options.trim().split("\\s+"))
        .filter(option -> !option.isEmpty() && !HARMLESS.matcher(option).matches())
        .findFirst();
  }

  private static List<Finding> replaced(SiteConfig conf, String key, String stock) {
    return conf.find(key)
        .filter(value -> !value.isEmpty() && !value.equals(stock))
        .map(
            value ->
                List.of(
                    Finding.warning(
                        "collector",
                        key + " is " + value + ": inside an engine Mammoth's is used instead",
                        "set mammoth.sort.enabled or mammoth.shuffle.enabled to false if that one"
                            + " is needed")))
        .orElse(List.of());
  }
}
