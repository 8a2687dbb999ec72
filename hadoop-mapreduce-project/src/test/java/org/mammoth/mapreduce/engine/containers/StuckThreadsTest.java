// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which threads of a task that exhausts the heap may be stopped. */
class StuckThreadsTest {

  private static StackTraceElement[] stack(String... classes) {
    List<StackTraceElement> frames = new ArrayList<>();
    for (String name : classes) {
      frames.add(new StackTraceElement(name, "method", "File.java", 1));
    }
    return frames.toArray(new StackTraceElement[0]);
  }

  @Test
  void onlyTheTasksOwnCodeIsInterruptedByForce() {
    assertThat(StuckThreads.inOwnCode(stack("java.util.ArrayList", "com.acme.Leak"))).isTrue();
    assertThat(StuckThreads.inOwnCode(stack("org.mammoth.workloads.Misdeeds"))).isTrue();
    assertThat(
            StuckThreads.inOwnCode(
                stack("java.io.OutputStream", "org.mammoth.engine.sort.RecordBuffer", "a.Map")))
        .isFalse();
    assertThat(StuckThreads.inOwnCode(stack("org.apache.hadoop.io.Text", "a.Map"))).isFalse();
    assertThat(StuckThreads.inOwnCode(stack("java.lang.Thread"))).isFalse();
    assertThat(StuckThreads.inOwnCode(stack())).isFalse();
  }

  @Test
  void whoLoadsAClassIsNotInItsOwnCode() {
    assertThat(
            StuckThreads.inOwnCode(
                stack(
                    "org.objectweb.asm.ClassReader",
                    "org.mammoth.engine.statics.StaticsAgent",
                    "a.Map")))
        .isFalse();
    assertThat(StuckThreads.inOwnCode(stack("sun.instrument.TransformerManager", "a.Map")))
        .isFalse();
    assertThat(
            StuckThreads.inOwnCode(
                stack(
                    "java.util.zip.Inflater",
                    "jdk.internal.loader.BuiltinClassLoader",
                    "java.lang.ClassLoader",
                    "a.Map")))
        .isFalse();
    assertThat(StuckThreads.inOwnCode(stack("java.lang.ClassLoader", "a.Plugins"))).isFalse();
  }

  @Test
  void onlyWhoWaitsIsStoppedForGood() {
    StackTraceElement[] wait = stack("java.lang.Object", "com.acme.Watchdog");
    assertThat(StuckThreads.isAsleep(Thread.State.TIMED_WAITING, wait)).isTrue();
    assertThat(StuckThreads.isAsleep(Thread.State.RUNNABLE, wait)).isFalse();
    assertThat(StuckThreads.isAsleep(Thread.State.BLOCKED, wait)).isFalse();
    StackTraceElement poll = new StackTraceElement("sun.nio.ch.EPoll", "wait", "EPoll.java", -2);
    assertThat(StuckThreads.isAsleep(Thread.State.RUNNABLE, new StackTraceElement[] {poll}))
        .isTrue();
  }

  @Test
  void whoseStackHasAnythingOfHadoopsIsNotStoppedForGood() {
    assertThat(StuckThreads.isAlone(stack("java.lang.Object", "com.acme.Watchdog"))).isTrue();
    assertThat(
            StuckThreads.isAlone(stack("java.lang.Object", "a.B", "org.apache.hadoop.ipc.Client")))
        .isFalse();
    StackTraceElement shared =
        new StackTraceElement("app", null, null, "com.google.Finalizer", "run", "F.java", 1);
    assertThat(StuckThreads.isAlone(new StackTraceElement[] {shared})).isFalse();
    assertThat(StuckThreads.isAlone(stack())).isFalse();
  }
}
