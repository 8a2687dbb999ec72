// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobRulesTest {

  private final JobConf cluster = new JobConf();
  private final JobRules rules = new JobRules(cluster);

  private static JobConf job(String key, String value) {
    JobConf job = new JobConf();
    if (key != null) {
      job.set(key, value);
    }
    return job;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mapreduce.pipes.executable | bin/wc | pipes",
        "mapreduce.task.profile | true | profiled",
        "mapreduce.application.framework.path | hdfs://h/mr.tgz | its own Hadoop",
        "mapreduce.job.log4j-properties-file | my.properties | log4j",
        "mapreduce.job.user.classpath.first | true | before Hadoop's",
        "hadoop.rpc.protection | privacy | hadoop.rpc.protection differs",
      })
  void needsAProcess(String key, String value, String reason) {
    assertThat(rules.reasonAgainst(job(key, value)))
        .hasValueSatisfying(said -> assertThat(said).contains(reason));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mapreduce.job.name | plain",
        "mapreduce.job.cache.files | hdfs://h/data.txt",
        "mapreduce.job.cache.files | hdfs://h/staging/libjars/*",
        "mapreduce.map.env | MY_VAR=1",
        "mapreduce.job.classloader | true",
        "mapreduce.job.counters.max | 7777",
      })
  void runsAsAThread(String key, String value) {
    assertThat(rules.reasonAgainst(job(key, value))).isEmpty();
  }

  /** An administrator who gives more to each job has reasons; hosts get it, too. */
  @Test
  void anAppMasterWithMoreHeapThanAHostHasNeedsAProcess() {
    assertThat(rules.reasonAgainstHeap(List.of("-Xmx1024m"))).isEmpty();
    assertThat(rules.reasonAgainstHeap(List.of("-Xmx4g")))
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("4096 MiB", "mammoth.appmaster.host.heap-mb"));
    cluster.set("yarn.app.mapreduce.am.command-opts", "-XX:+UseSerialGC -Xmx4g");
    assertThat(HostHeap.mb(cluster)).isEqualTo(4096);
    assertThat(rules.reasonAgainstHeap(List.of("-Xmx4g"))).isEmpty();
    assertThat(rules.reasonAgainstHeap(List.of("-Xmx4097m"))).isPresent();
    cluster.set("mammoth.appmaster.host.heap-mb", "1000");
    assertThat(rules.reasonAgainstHeap(List.of("-Xmx4g"))).isPresent();
    cluster.set("mammoth.appmaster.host.heap-mb", "5000");
    assertThat(rules.reasonAgainstHeap(List.of("-Xmx4g"))).isEmpty();
  }

  @Test
  void hostsHaveTheDefaultWhereNobodyAsksForMoreThanStock() {
    for (String options : new String[] {"", "-Xmx512m", "-Xmx1024m", "-Xmx1g", "-verbose:gc"}) {
      cluster.set("yarn.app.mapreduce.am.command-opts", options);
      assertThat(HostHeap.mb(cluster)).as(options).isEqualTo(768);
    }
  }

  @Test
  void itsClassLoaderHasItsClassesFirstInAnyCase() {
    JobConf job = job("mapreduce.job.user.classpath.first", "true");
    job.set("mapreduce.job.classloader", "true");
    assertThat(rules.reasonAgainst(job)).isEmpty();
  }

  @Test
  void cacheFilesOnTheClassPathAreNoReason() {
    JobConf job = job("mapreduce.job.cache.files", "hdfs://h/lib/my.jar");
    job.set("mapreduce.job.classpath.files", "/lib/my.jar");
    assertThat(rules.reasonAgainst(job)).isEmpty();
  }

  @Test
  void aJobWithNativeCodeMayRefuseToResolveItsCacheLinks() {
    JobConf job = job("mapreduce.job.cache.files", "hdfs://h/data.txt#name");
    job.set("mammoth.engine.cache-links", "false");
    assertThat(rules.reasonAgainst(job))
        .hasValueSatisfying(said -> assertThat(said).contains("'name'"));
    job.set("mapreduce.job.cache.files", "hdfs://h/tmp/_partition.lst#_partition.lst");
    assertThat(rules.reasonAgainst(job)).isEmpty();
    job.set("mapreduce.job.cache.archives", "hdfs://h/a.zip");
    assertThat(rules.reasonAgainst(job))
        .hasValueSatisfying(said -> assertThat(said).contains("'a.zip'"));
  }

  @Test
  void largeAndUnusualJobsGetAnApplicationMasterOfTheirOwn() {
    List<String> command =
        List.of(
            "$JAVA_HOME/bin/java -Djava.io.tmpdir=$PWD/tmp -Dlog4j.configuration="
                + "container-log4j.properties -Dyarn.app.container.log.dir=/l -Dyarn.app.container"
                + ".log.filesize=0 -Dhadoop.root.logger=INFO,CLA -Dhadoop.root.logfile=syslog "
                + "-Xmx1024m org.apache.hadoop.mapreduce.v2.app.MRAppMaster 1>/l/stdout 2>/l/stderr"
                + " ");
    assertThat(AppMasterCommand.isMapReduce(command)).isTrue();
    assertThat(AppMasterCommand.reasonAgainst(command, job(null, null))).isEmpty();
    assertThat(AppMasterCommand.reasonAgainst(command, job("mapreduce.job.maps", "5000")))
        .hasValueSatisfying(said -> assertThat(said).contains("mammoth.appmaster.warm.max-tasks"));
    assertThat(
            AppMasterCommand.reasonAgainst(command, job("mapreduce.job.ubertask.enable", "true")))
        .isPresent();
    assertThat(
            AppMasterCommand.reasonAgainst(
                List.of(command.get(0).replace("-Xmx1024m", "-Xmx1024m -agentlib:jdwp")),
                job(null, null)))
        .isPresent();
    List<String> limited =
        List.of(command.get(0).replace("filesize=0", "filesize=4096").replace("INFO", "WARN"));
    assertThat(AppMasterCommand.reasonAgainst(limited, job(null, null))).isEmpty();
    assertThat(AppMasterCommand.logLevel(limited)).isEqualTo("WARN");
    assertThat(AppMasterCommand.properties(limited))
        .containsEntry("yarn.app.container.log.filesize", "4096");
    assertThat(
            AppMasterCommand.reasonAgainst(
                List.of(command.get(0).replace("INFO,CLA", "DEBUG,CLA")), job(null, null)))
        .hasValueSatisfying(said -> assertThat(said).contains("DEBUG"));
  }
}
