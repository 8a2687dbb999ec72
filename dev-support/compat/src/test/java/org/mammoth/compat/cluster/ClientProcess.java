// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * Client commands in a JVM of their own, with a configuration folder, as the launchers start them.
 */
public final class ClientProcess {
  private static final long LONGEST_MINUTES = 5;

  /**
   * What a command did.
   *
   * @param exit its exit status
   * @param output what it wrote to either stream
   */
  public record Result(int exit, String output) {}

  private ClientProcess() {}

  /**
   * Runs a main class and waits.
   *
   * @param folder where its configuration and output go
   */
  public static Result run(Path folder, Configuration conf, String main, List<String> arguments)
      throws IOException, InterruptedException {
    Path site = Files.createDirectories(folder.resolve("conf"));
    // Each of these wins over the defaults of its own project only.
    for (String project : List.of("core", "hdfs", "yarn", "mapred")) {
      try (OutputStream out = Files.newOutputStream(site.resolve(project + "-site.xml"))) {
        conf.writeXml(out);
      }
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            main));
    command.addAll(arguments);
    File output = folder.resolve("client.log").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
    builder.environment().put("CLASSPATH", site + File.pathSeparator + MiniCluster.classPath());
    Process process = builder.start();
    if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException(
          main + " did not end within " + LONGEST_MINUTES + " minutes, see " + output);
    }
    return new Result(process.exitValue(), Files.readString(output.toPath()));
  }
}
