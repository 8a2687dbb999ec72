package org.mammoth.compat.examples;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.diff.Side;

/** One run of an example on one side: its output folder and the counters of its jobs, in order. */
record ExampleRun(Side side, Path output, List<Counters> jobs) {
  private static final long LONGEST_MINUTES = 5;

  static ExampleRun of(Example example, Side side, MiniCluster cluster, Path inputs)
      throws Exception {
    String tag = example.name() + "-" + side.name().toLowerCase(Locale.ROOT);
    // Folders of equal length, so that no counter of bytes can see which side it is.
    Path folder = new Path("/examples/" + example.name() + "/" + (side == Side.ENGINE ? "a" : "b"));
    Configuration conf = cluster.conf();
    conf.set("mapreduce.job.tags", tag);
    conf.setBoolean("mammoth.engine.enabled", side == Side.ENGINE);
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
            ? inProcess(example.name(), conf, arguments, local)
            : ToolRunner.run(conf, example.tool().get(), arguments.toArray(new String[0]));
    if (exit != 0) {
      throw new IOException(example + " on " + side + " ended with " + exit + ", see " + local);
    }
    List<Counters> counters = new ArrayList<>();
    for (ApplicationId application : cluster.applications(tag)) {
      counters.add(cluster.counters(application));
    }
    return new ExampleRun(side, folder, counters);
  }

  /**
   * As {@code hadoop jar hadoop-mapreduce-examples.jar NAME}: for programs that end the JVM they
   * run in.
   */
  private static int inProcess(
      String name, Configuration conf, List<String> arguments, java.nio.file.Path local)
      throws IOException, InterruptedException {
    java.nio.file.Path site = local.resolve("site.xml");
    try (OutputStream out = Files.newOutputStream(site)) {
      conf.writeXml(out);
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                java.nio.file.Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "org.apache.hadoop.examples.ExampleDriver",
                name,
                "-conf",
                site.toString()));
    command.addAll(arguments);
    File output = local.resolve("client.log").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
    builder.environment().put("CLASSPATH", MiniCluster.classPath());
    Process process = builder.start();
    if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException(
          name + " did not end within " + LONGEST_MINUTES + " minutes, see " + output);
    }
    return process.exitValue();
  }
}
