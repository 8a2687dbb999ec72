// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.compat.cluster.MiniCluster;

/**
 * Upstream's own mini cluster, which sets the container executor and the shuffle service in its
 * code, has engines by configuration alone.
 */
class UpstreamMiniClusterIT {

  private static final String LAUNCHER = "yarn.nodemanager.containers-launcher.class";

  @TempDir Path work;

  @Test
  void runsItsTasksInEngines() throws Exception {
    YarnConfiguration conf = new YarnConfiguration();
    conf.set(LAUNCHER, "org.mammoth.mapreduce.nodemanager.MammothContainersLauncher");
    conf.set("mammoth.engine.java.opts", MiniCluster.engineOptions("1200m"));
    // Our own classes, before they are in jars.
    conf.set("mammoth.engine.shared-jars", "**/target/classes");
    conf.set("mammoth.memory.pool-fraction", "0.02");
    conf.set("mammoth.memory.element-queue-mb", "6");
    conf.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 99.9f);
    Set<ObjectName> others = engines();
    try (MiniMRYarnCluster cluster = new MiniMRYarnCluster("upstream", 1)) {
      cluster.init(conf);
      cluster.start();
      assertThat(cluster.getConfig().get(YarnConfiguration.NM_CONTAINER_EXECUTOR))
          .as("the executor that upstream's code insists on")
          .isEqualTo(DefaultContainerExecutor.class.getName());
      Job job = wordCount(new YarnConfiguration(cluster.getConfig()));
      assertThat(job.waitForCompletion(false)).isTrue();
      assertThat(Files.readString(work.resolve("out/part-r-00000"))).isEqualTo("a\t2\nb\t1\n");
      // Engines report a little after the fact.
      Awaitility.await().untilAsserted(() -> assertThat(tasksStarted(others)).isEqualTo(2));
    }
    assertThat(engines()).as("engines of a cluster that has stopped").isEqualTo(others);
  }

  private Job wordCount(YarnConfiguration conf) throws IOException {
    Files.createDirectories(work.resolve("in"));
    Files.writeString(work.resolve("in/words"), "b a\na\n", StandardCharsets.UTF_8);
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, "file:///");
    Job job = Job.getInstance(conf, "words");
    job.setJarByClass(WordCount.class);
    job.setMapperClass(WordCount.TokenizerMapper.class);
    job.setReducerClass(WordCount.IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    URI root = work.toUri();
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(root.resolve("in")));
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(root.resolve("out")));
    return job;
  }

  private static int tasksStarted(Set<ObjectName> others) throws JMException, IOException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    int started = 0;
    for (ObjectName node : engines()) {
      if (!others.contains(node)) {
        String status = (String) server.getAttribute(node, "Status");
        for (JsonNode engine : new ObjectMapper().readTree(status).path("engines")) {
          started += engine.path("tasksStarted").asInt();
        }
      }
    }
    return started;
  }

  private static Set<ObjectName> engines() throws JMException {
    return ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName("Hadoop:service=NodeManager,name=MammothEngines*"), null);
  }
}
