// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upstream;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.junit.platform.console.ConsoleLauncher;

/**
 * Starts a mini cluster and runs a test class: jobs that it would run in its own JVM, by
 * LocalJobRunner, go to the cluster ({@link LocalJobsToCluster}). Takes the arguments of JUnit's
 * {@link ConsoleLauncher}.
 */
public final class TestsOnACluster {

  private TestsOnACluster() {}

  public static void main(String[] args) throws IOException {
    Path work = Path.of("").toAbsolutePath();
    JobConf settings = new JobConf();
    settings.set(MRJobConfig.MR_AM_STAGING_DIR, work.resolve("staging").toUri().toString());
    MiniMRYarnCluster cluster = new MiniMRYarnCluster("tests", 1);
    cluster.init(settings);
    cluster.start();
    Path file = work.resolve("cluster.xml");
    try (OutputStream out = Files.newOutputStream(file)) {
      changed(cluster.getConfig()).writeXml(out);
    }
    System.setProperty(LocalJobsToCluster.SETTINGS, file.toString());
    PrintWriter out = new PrintWriter(System.out, true);
    PrintWriter err = new PrintWriter(System.err, true);
    int status = ConsoleLauncher.run(out, err, args).getExitCode();
    cluster.stop();
    // Daemons that tests left running.
    Runtime.getRuntime().halt(status);
  }

  /** What a job must know of the cluster: settings of YARN and MapReduce that are not defaults. */
  private static Configuration changed(Configuration all) {
    Configuration defaults = new JobConf();
    Configuration changed = new Configuration(false);
    for (Map.Entry<String, String> each : all) {
      String key = each.getKey();
      boolean ofCluster = key.startsWith("yarn.") || key.startsWith("mapreduce.");
      if (ofCluster && !each.getValue().equals(defaults.getRaw(key))) {
        changed.set(key, all.get(key));
      }
    }
    return changed;
  }
}
