// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.mammoth.compat.cluster.ClientProcess;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.diff.JobCounts;
import org.mammoth.compat.diff.Side;

/** One run of an example on one side: its output folder and the counters of its jobs, in order. */
record ExampleRun(Side side, Path output, List<JobCounts> jobs) {
  static ExampleRun of(Example example, Side side, MiniCluster cluster, Path inputs)
      throws Exception {
    // All that differs has equal length, so that no counter of bytes can see which side it is: a
    // task writes its configuration to the local disk, and that is counted.
    String letter = side == Side.ENGINE ? "a" : "b";
    String tag = example.name() + "-" + letter;
    Path folder = new Path("/examples/" + example.name() + "/" + letter);
    Configuration conf = cluster.conf();
    conf.set("mapreduce.job.tags", tag);
    conf.set("mammoth.engine.enabled", side == Side.ENGINE ? "true " : "false");
    for (String option : example.options()) {
      conf.set(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
    }
    java.nio.file.Path local =
        Files.createDirectories(cluster.home().resolve("examples").resolve(tag));
    List<String> arguments = new ArrayList<>();
    for (String argument : example.arguments()) {
      arguments.add(
          argument
              .replace("IN/", inputs + "/")
              .replace("OUT/", folder + "/")
              .replace("LOCAL/", local + "/"));
    }
    int exit =
        example.tool() == null
            ? driver(example.name(), conf, arguments, local)
            : ToolRunner.run(conf, example.tool().get(), arguments.toArray(new String[0]));
    if (exit != 0) {
      throw new IOException(example + " on " + side + " ended with " + exit + ", see " + local);
    }
    List<JobCounts> counters = new ArrayList<>();
    for (ApplicationId application : cluster.applications(tag)) {
      counters.add(JobCounts.of(cluster, application, cluster.counters(application)));
    }
    return new ExampleRun(side, folder, counters);
  }

  /** As {@code hadoop jar}: for programs that end the JVM they run in. */
  private static int driver(
      String name, Configuration conf, List<String> arguments, java.nio.file.Path local)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(name));
    words.addAll(arguments);
    return ClientProcess.run(local, conf, "org.apache.hadoop.examples.ExampleDriver", words).exit();
  }
}
