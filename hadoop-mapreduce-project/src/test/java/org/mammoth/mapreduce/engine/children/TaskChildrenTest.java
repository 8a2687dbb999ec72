// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.util.ProcfsBasedProcessTree;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, as a task would start them. */
class TaskChildrenTest {

  /** Another one in each JVM of a test run: these are all in one process group. */
  private static final String CONTAINER = "container_1_0001_01_" + ProcessHandle.current().pid();

  private static final long MIB = 1L << 20;
  private static final long GRACE_MS = 250;

  @TempDir Path folder;

  private final List<ProcessHandle> started = new ArrayList<>();
  private final List<ProcessHandle> all = new ArrayList<>();
  private final TaskChildren children =
      new TaskChildren(
          () -> true,
          () -> started.stream().filter(ProcessHandle::isAlive).toList(),
          new ProcessGroup(Path.of("/proc"), ProcessHandle.current(), CONTAINER),
          new ParentTasks(),
          ProcfsBasedProcessTree::new);

  @AfterEach
  void endAll() {
    all.forEach(ProcessHandle::destroyForcibly);
  }

  /** Runs a script, in which {@code note} writes down the last process it has started. */
  private ProcessHandle start(String container, String script) throws IOException {
    String noting = "note() { echo $! >>\"" + folder.resolve("pids") + "\"; }; ";
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", noting + script);
    builder.environment().put("CONTAINER_ID", container);
    ProcessHandle child = builder.start().toHandle();
    all.add(child);
    return child;
  }

  private List<ProcessHandle> noted(int count) {
    Path pids = folder.resolve("pids");
    await().until(() -> Files.exists(pids) && Files.readAllLines(pids).size() == count);
    try {
      List<ProcessHandle> noted =
          Files.readAllLines(pids).stream()
              .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
              .toList();
      assertThat(noted).hasSize(count);
      all.addAll(noted);
      return noted;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void allOfTheGroupEnd() throws Exception {
    started.add(start(CONTAINER, "sleep 100 & note; env -i sleep 100 & note; wait"));
    started.add(start(CONTAINER, "trap '' TERM; sleep 100 & note; wait; wait; sleep 100"));
    ProcessHandle parent = start(CONTAINER, "sleep 100 & note");
    ProcessHandle stranger = start("container_1_0001_01_000003", "exec sleep 100");
    List<ProcessHandle> below = noted(4);
    await().until(() -> !parent.isAlive());
    assertThat(children.terminate()).isTrue();
    children.killAfter(GRACE_MS);
    await()
        .untilAsserted(
            () ->
                assertThat(Stream.concat(started.stream(), below.stream()))
                    .noneMatch(ProcessHandle::isAlive));
    assertThat(stranger.isAlive()).isTrue();
    assertThat(children.terminate()).isFalse();
  }

  /** Stands for an engine: leads its group, and has a child that is no task's. */
  private ProcessHandle engine(String script) throws IOException {
    Path file = Files.writeString(folder.resolve("engine.sh"), script);
    ProcessBuilder builder = new ProcessBuilder("setsid", "sh", file.toString());
    builder.environment().remove("CONTAINER_ID");
    builder.environment().put("NOTES", folder.resolve("pids").toString());
    ProcessHandle engine = builder.start().toHandle();
    all.add(engine);
    return engine;
  }

  @Test
  void whatShowsNoSignOfItsTaskEndsWithTheLastThatMayHaveStartedIt() throws Exception {
    ProcessHandle engine =
        engine(
            """
            note() { echo $! >>"$NOTES"; }
            sleep 100 & note
            (env -i sleep 100 & note)
            (CONTAINER_ID=%s; export CONTAINER_ID; sleep 100 & note)
            (CONTAINER_ID=container_1_0001_01_000009; export CONTAINER_ID; sleep 100 & note)
            wait; sleep 100
            """
                .formatted(CONTAINER));
    List<ProcessHandle> below = noted(4);
    ProcessHandle orphan = below.get(1);
    await().until(() -> engine.descendants().noneMatch(orphan::equals));
    ParentTasks parents = new ParentTasks();
    TaskChildren first = childrenOf(engine, CONTAINER, () -> true, parents);
    TaskChildren other = childrenOf(engine, "container_1_0001_01_000003", () -> true, parents);
    childrenOf(engine, "container_1_0001_01_000004", () -> false, parents);
    first.end();
    await().until(() -> !below.get(2).isAlive());
    assertThat(below).filteredOn(ProcessHandle::isAlive).hasSize(3).contains(orphan);
    other.end();
    await().until(() -> !orphan.isAlive());
    assertThat(below.get(0).isAlive()).as("the engine's own").isTrue();
    assertThat(below.get(3).isAlive()).as("another container's").isTrue();
    assertThat(engine.isAlive()).isTrue();
  }

  private static TaskChildren childrenOf(
      ProcessHandle engine, String container, BooleanSupplier any, ParentTasks parents) {
    return new TaskChildren(
        any,
        List::of,
        new ProcessGroup(Path.of("/proc"), engine, container),
        parents,
        ProcfsBasedProcessTree::new);
  }

  /** As where a container is a process group: it is left alone. */
  @Test
  void whatHasLeftTheGroupStays() throws Exception {
    started.add(start(CONTAINER, "setsid sleep 100 & note; exec sleep 100"));
    ProcessHandle left = noted(1).get(0);
    await().until(() -> left.info().command().orElse("").endsWith("sleep"));
    children.terminate();
    children.killAfter(GRACE_MS);
    await().until(() -> !started.get(0).isAlive());
    assertThat(left.isAlive()).isTrue();
  }

  @Test
  void memoryAndTimeOfAllCount() throws Exception {
    children.look();
    assertThat(children.residentBytes()).isZero();
    // tail keeps what nobody reads
    String hoarder = "head -c 80000000 /dev/zero | tail -c 80000000 | sleep 100";
    started.add(start(CONTAINER, hoarder));
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              children.look();
              assertThat(children.residentBytes()).isBetween(70 * MIB, 200 * MIB);
            });
    assertThat(children.count()).as("with those below it").isEqualTo(1);
    children.look();
    assertThat(children.exceed(60 * MIB)).isTrue();
    assertThat(children.exceed(30 * MIB)).isTrue();
    assertThat(children.exceed(400 * MIB)).isFalse();
    assertThat(children.table()).contains("tail -c 80000000");
    children.terminate();
    children.killAfter(GRACE_MS);
    await().until(() -> !started.get(0).isAlive());
    // The shell may be gone before tail has given back its 80 MB.
    await()
        .untilAsserted(
            () -> {
              children.look();
              assertThat(children.residentBytes()).isZero();
            });
  }

  @Test
  void timeOfThoseThatHaveEndedStays() throws Exception {
    started.add(start(CONTAINER, "while :; do :; done"));
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              children.look();
              assertThat(children.cpuMs()).isPositive();
            });
    long before = children.cpuMs();
    children.terminate();
    children.killAfter(GRACE_MS);
    await().until(() -> !started.get(0).isAlive());
    children.look();
    assertThat(children.cpuMs()).isGreaterThanOrEqualTo(before);
  }
}
