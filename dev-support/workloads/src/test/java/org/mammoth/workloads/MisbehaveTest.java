// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kinds that one JVM survives; exit, halt and out-of-memory are for the engine's tests. */
class MisbehaveTest {
  @TempDir Path folder;
  private LocalRun local;

  @BeforeEach
  void makeRunner() {
    local = new LocalRun(folder);
  }

  @Test
  void observesAndPassesOn() throws Exception {
    assertThat(local.run(new Misbehave(), "none", local.path("none"))).isZero();
    assertThat(local.output("none")).isEqualTo("m-00000\tfine\nm-00001\tfine\nr-00000\tfine\n");
    assertThat(local.run(new Misbehave(), "getenv", local.path("env"), "HOME")).isZero();
    assertThat(local.output("env")).contains("m-00001\tHOME=" + System.getenv("HOME"));
    Path file = local.write("some.txt", "forty-two\n");
    assertThat(local.run(new Misbehave(), "relative-file", local.path("file"), file)).isZero();
    assertThat(local.output("file")).contains("m-00000\tforty-two\n");
  }

  @Test
  void oneTaskOrTheReduceAlone() throws Exception {
    Configuration conf = local.conf();
    conf.set(Misbehave.TASKS, "1");
    conf.set(Misbehave.RECORDS, "2");
    local.run(new Misbehave(), conf, "print", local.path("one"));
    assertThat(local.output("one"))
        .isEqualTo(
            "m-00000\tfine\nm-00000\tfine\nm-00001\tprinted\nm-00001\tprinted\nr-00000\tfine\n");
    Configuration reduce = local.conf();
    reduce.set(Misbehave.WHERE, "reduce");
    local.run(new Misbehave(), reduce, "print", local.path("reduce"));
    assertThat(local.output("reduce"))
        .isEqualTo("m-00000\tfine\nm-00001\tfine\nr-00000\tprinted\n");
  }

  @Test
  void staticFieldIsSharedInOneJvm() throws Exception {
    Configuration conf = local.conf();
    conf.set(Misbehave.RECORDS, "10");
    local.run(new Misbehave(), conf, "static-mutate", local.path("out"));
    // Separate tasks would each end at ten. Two that count at once may lose a step now and then.
    assertThat(local.output("out").lines().map(line -> line.split("\t")[1]))
        .hasSize(21)
        .filteredOn(count -> !count.equals("fine"))
        .hasSize(20)
        .anyMatch(count -> Integer.parseInt(count) > 10);
  }

  @Test
  void deepRecursionFailsTheJob() throws Exception {
    assertThat(local.run(new Misbehave(), "stack-overflow", local.path("out"))).isEqualTo(1);
  }

  @Test
  @Timeout(30)
  void endlessLoopHeedsAnInterrupt() throws Exception {
    AtomicReference<Throwable> end = new AtomicReference<>();
    Thread loop =
        new Thread(
            () -> {
              try {
                Misdeeds.commit(Misdeeds.Kind.ENDLESS_LOOP, "", "attempt");
              } catch (Exception e) {
                end.set(e);
              }
            });
    loop.start();
    loop.interrupt();
    loop.join();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void leftThreadOutlivesTheCall() throws Exception {
    assertThat(Misdeeds.commit(Misdeeds.Kind.LEAVE_THREAD, "600", "attempt"))
        .isEqualTo("left a thread");
    Thread left =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("left-behind"))
            .findFirst()
            .orElseThrow();
    assertThat(left.isDaemon()).isFalse();
    left.interrupt();
    left.join(10_000);
    assertThat(left.isAlive()).isFalse();
  }

  @Test
  void unknownKindNamesTheKinds() {
    assertThatThrownBy(() -> local.run(new Misbehave(), "swear", local.path("out")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no misdeed 'swear'")
        .hasMessageContaining("endless-loop-deaf");
  }
}
