// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.assertj.core.presentation.StandardRepresentation;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.compat.cluster.CompiledJob;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.NodeStatus;
import org.mammoth.compat.cluster.Probe;
import org.mammoth.compat.cluster.SharedCluster;

/**
 * What one task does to its process, no other task sees; the attempt that did it fails and its task
 * is run again.
 */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IsolationIT {
  private static final int NEIGHBOURS = 2;
  private static final String RESOURCE = "resource rules.properties";

  private JobCode code;

  @BeforeAll
  void pack(MiniCluster cluster) throws IOException {
    code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("isolation.jar"));
  }

  /** Starts a job that is in the engine meanwhile and must not notice anything. */
  private Probe neighbour(MiniCluster cluster, String name) throws Exception {
    Probe neighbour =
        Probe.of(
            cluster,
            code,
            "neighbour-" + name,
            Collections.nCopies(NEIGHBOURS, List.of("sleep 8000")));
    return neighbour.submit();
  }

  private static void assertUndisturbed(Probe neighbour) throws Exception {
    assertThat(neighbour.await()).isTrue();
    assertThat(neighbour.count(JobCounter.NUM_FAILED_MAPS)).isZero();
    assertThat(neighbour.count(JobCounter.NUM_KILLED_MAPS)).isZero();
    assertThat(neighbour.answers())
        .containsEntry("sleep 8000", Collections.nCopies(NEIGHBOURS, "slept"));
    assertThat(neighbour.notes().ordinary()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit 3, halt 3, error", "stack", "heap"})
  void aFatalCommandEndsItsAttemptOnly(String commands, MiniCluster cluster) throws Exception {
    List<String> fatal = List.of(commands.split(", "));
    String name = commands.replaceAll("[ ,]+", "-");
    Probe neighbour = neighbour(cluster, name);
    List<List<String>> maps = new ArrayList<>(List.of(List.of("pass")));
    fatal.forEach(command -> maps.add(List.of("pass", "once " + command)));
    Probe bad = Probe.of(cluster, code, name, maps);
    assertThat(bad.submit().await()).isTrue();
    assertThat(bad.count(JobCounter.NUM_FAILED_MAPS)).isEqualTo(fatal.size());
    assertThat(bad.answers()).containsEntry("pass", Collections.nCopies(maps.size(), "passed"));
    for (String command : fatal) {
      assertThat(bad.answers()).containsEntry("once " + command, List.of("passed"));
    }
    assertUndisturbed(neighbour);
  }

  @Test
  void aTaskThatFillsTheHeapIsRunAgain(MiniCluster cluster) throws Exception {
    Probe bad = Probe.of(cluster, code, "hog", List.of(List.of("once hog"), List.of("pass")));
    assertThat(bad.submit().await()).isTrue();
    assertThat(bad.count(JobCounter.NUM_FAILED_MAPS) + bad.count(JobCounter.NUM_KILLED_MAPS))
        .isPositive();
    assertThat(bad.answers())
        .containsEntry("once hog", List.of("passed"))
        .containsEntry("pass", List.of("passed"));
  }

  @Test
  void aThreadLeftBehindEndsWithItsTask(MiniCluster cluster) throws Exception {
    Probe neighbour = neighbour(cluster, "leave");
    Probe bad = Probe.of(cluster, code, "leave", List.of(List.of("leave"), List.of("leave")));
    assertThat(bad.submit().await()).isTrue();
    assertThat(bad.answers()).containsEntry("leave", List.of("left", "left"));
    assertUndisturbed(neighbour);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        // An engine of a suite before may end, or a busy one not answer, while it is asked.
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () ->
                assertThat(Engines.threads()).noneMatch(thread -> thread.contains("left-behind")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"loop", "loop stubborn"})
  void anEndlessLoopTimesOut(String command, MiniCluster cluster) throws Exception {
    String name = command.replace(' ', '-');
    Probe neighbour = neighbour(cluster, name);
    Probe bad = Probe.of(cluster, code, name, List.of(List.of("once " + command), List.of("pass")));
    bad.job().getConfiguration().setInt(MRJobConfig.TASK_TIMEOUT, 4000);
    bad.job().getConfiguration().setInt(MRJobConfig.TASK_TIMEOUT_CHECK_INTERVAL_MS, 500);
    assertThat(bad.submit().await()).isTrue();
    assertThat(bad.count(JobCounter.NUM_FAILED_MAPS)).isEqualTo(1);
    assertThat(bad.answers())
        .containsEntry("once " + command, List.of("passed"))
        .containsEntry("pass", List.of("passed"));
    assertUndisturbed(neighbour);
  }

  @Test
  void staticFieldsAreEachTasksOwn(MiniCluster cluster) throws Exception {
    Probe counting = Probe.of(cluster, code, "count", Collections.nCopies(4, List.of("count 500")));
    assertThat(counting.submit().await()).isTrue();
    assertThat(counting.answers()).containsEntry("count 500", Collections.nCopies(4, "500"));
    assertThat(counting.notes().ordinary())
        .as("in processes, of late: %s", NodeStatus.snapshot(cluster).fallbacks().last())
        .isEmpty();
    assertThat(counting.notes().processes()).as("at least two in one engine").hasSizeLessThan(4);
  }

  /** As an administrator does who puts a library into Hadoop's folders. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void librariesBesideHadoopsAreEachTasksOwn(boolean ownLoader, MiniCluster cluster)
      throws Exception {
    String name = "added-" + ownLoader;
    Probe probe = Probe.of(cluster, code, name, Collections.nCopies(4, List.of("added")));
    probe.job().getConfiguration().setBoolean(MRJobConfig.MAPREDUCE_JOB_CLASSLOADER, ownLoader);
    assertThat(probe.submit().await()).isTrue();
    int untouched = StandardRepresentation.getMaxElementsForPrinting();
    assertThat(probe.answers())
        .containsEntry("added", Collections.nCopies(4, String.valueOf(untouched)));
    assertThat(probe.notes().ordinary()).isEmpty();
    assertThat(probe.notes().processes()).as("at least two in one engine").hasSizeLessThan(4);
  }

  @Test
  void twoJobsSeeTheirOwnVersionsOfAClass(MiniCluster cluster) throws Exception {
    List<CompiledJob> versions =
        List.of(
            CompiledJob.of(cluster, "version-one", "one"),
            CompiledJob.of(cluster, "version-two", "two"));
    for (CompiledJob version : versions) {
      version.submit();
    }
    for (CompiledJob version : versions) {
      assertThat(version.await()).isTrue();
      assertThat(version.words())
          .containsOnlyKeys(version.version() + "-a", version.version() + "-b");
    }
  }

  @Test
  void javaSerializationFindsTheJobsClasses(MiniCluster cluster) throws Exception {
    CompiledJob job = CompiledJob.withJavaSerialization(cluster, "serialized", "three");
    job.submit();
    assertThat(job.await()).isTrue();
    assertThat(job.words()).containsOnlyKeys("three-a", "three-b");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesOfTheContainersFolderAreResources(boolean ownLoader, MiniCluster cluster)
      throws Exception {
    Probe probe = Probe.of(cluster, code, "resource-" + ownLoader, List.of(List.of(RESOURCE)));
    Path rules = new Path("/probe/rules-" + ownLoader);
    cluster.fs().create(rules).close();
    probe.job().addCacheFile(new URI(cluster.fs().makeQualified(rules) + "#rules.properties"));
    probe.job().getConfiguration().setBoolean(MRJobConfig.MAPREDUCE_JOB_CLASSLOADER, ownLoader);
    assertThat(probe.submit().await()).isTrue();
    assertThat(probe.notes().ordinary()).isEmpty();
    assertThat(probe.answers())
        .containsEntry(
            RESOURCE,
            // A job's class loader has the folder, and the one above it, of Hadoop's, does not.
            List.of(
                "own loader all thread " + (ownLoader ? "" : "system shared ") + "configuration"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTaskFindsNoLocalFileSystemButItsOwn(boolean inEngine, MiniCluster cluster)
      throws Exception {
    String name = "first-local-" + inEngine;
    Probe probe = Probe.of(cluster, code, name, List.of(List.of("first")));
    probe.job().getConfiguration().setBoolean("mammoth.engine.enabled", inEngine);
    // With reduces upstream's sort asks first.
    probe.job().setNumReduceTasks(0);
    assertThat(probe.submit().await()).isTrue();
    assertThat(probe.answers()).containsEntry("first", List.of("RawLocalFileSystem in true"));
  }
}
