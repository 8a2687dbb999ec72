// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.UserCode;

class TaskHeapTest {

  private static final String POOL =
      "var bean = java.lang.management.ManagementFactory.getMemoryMXBean();\n"
          + "var pool = java.lang.management.ManagementFactory.getMemoryPoolMXBeans().stream()\n"
          + "  .filter(p -> p.getType() == java.lang.management.MemoryType.HEAP)\n"
          + "  .filter(p -> p.isUsageThresholdSupported()).findFirst().get();\n";

  @TempDir private Path dir;

  private static long thresholds() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(MemoryPoolMXBean::isUsageThresholdSupported)
        .mapToLong(MemoryPoolMXBean::getUsageThreshold)
        .sum();
  }

  @Test
  void isOfTheSizeOfItsProcess() throws Exception {
    String body =
        POOL
            + "var runtime = Runtime.getRuntime(); var heap = bean.getHeapMemoryUsage();\n"
            + "return runtime.maxMemory() + \" \" + heap.getMax() + \" \"\n"
            + "  + (runtime.totalMemory() <= runtime.maxMemory()) + \" \"\n"
            + "  + (runtime.freeMemory() <= runtime.totalMemory()) + \" \"\n"
            + "  + (heap.getUsed() > 0 && heap.getUsed() <= heap.getMax()) + \" \"\n"
            + "  + (pool.getUsage().getMax() <= heap.getMax()) + \" \"\n"
            + "  + (pool.getPeakUsage().getUsed() <= heap.getMax());";
    try (Task task =
        new Task(dir, "sees", UserCode.compile(dir, UserCode.function("Sees", body)))) {
      assertThat(task.call("Sees", ""))
          .isEqualTo(Task.HEAP + " " + Task.HEAP + " true true true true true");
    }
  }

  private static final String UNSAFE =
      "var own = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\"); own.setAccessible(true);\n"
          + "var unsafe = (sun.misc.Unsafe) own.get(null);\n"
          + "var field = Class.forName(\"java.nio.Bits\").getDeclaredField(in);\n"
          + "Object base = unsafe.staticFieldBase(field); long at = unsafe.staticFieldOffset(field);\n";

  @Test
  void takesNoProcessToSeeWhetherNumbersMayStandAnywhere() throws Exception {
    String body =
        UNSAFE
            + "boolean found = unsafe.getBoolean(base, at); unsafe.putBoolean(base, at, !found);\n"
            + "return \"\" + found;";
    for (String name : List.of("first", "second")) {
      Path folder = Files.createDirectory(dir.resolve(name));
      Path classes = UserCode.compile(folder, UserCode.function("Looks", body));
      try (Task task = new Task(folder, name, classes)) {
        assertThat(task.call("Looks", "UNALIGNED")).isEqualTo("true");
        assertThat(task.events).isEmpty();
      }
    }
  }

  @Test
  void isTheLimitOfDirectMemoryThatNettyLooksUp() throws Exception {
    String body =
        UNSAFE
            + "long found = unsafe.getLongVolatile(base, at); unsafe.putLong(base, at, 5);\n"
            + "return found + \" \" + unsafe.getLong(unsafe.staticFieldBase(field), at);";
    for (String name : List.of("first", "second")) {
      Path folder = Files.createDirectory(dir.resolve(name));
      Path classes = UserCode.compile(folder, UserCode.function("Looks", body));
      try (Task task = new Task(folder, name, classes)) {
        assertThat(task.call("Looks", "MAX_MEMORY")).isEqualTo(Task.HEAP + " 5");
        assertThat(task.events).isEmpty();
        assertThatThrownBy(() -> task.call("Looks", "MEMORY_LIMIT_SET"))
            .isInstanceOf(TaskExit.class);
        assertThat(task.events)
            .containsExactly(
                "needs a process: Looks calls Field.set of java.nio.Bits.MEMORY_LIMIT_SET");
      }
    }
  }

  @Test
  void tellsTheTaskAloneThatItFills() throws Exception {
    long before = thresholds();
    String body =
        POOL
            + "pool.setUsageThreshold(1); pool.setCollectionUsageThreshold(1);\n"
            + "((javax.management.NotificationEmitter) bean).addNotificationListener((n, back) -> {\n"
            + "  var info = java.lang.management.MemoryNotificationInfo.from(\n"
            + "    (javax.management.openmbean.CompositeData) n.getUserData());\n"
            + "  System.out.println(back + \" \" + n.getType() + \" \" + info.getPoolName().equals(pool.getName())\n"
            + "    + \" \" + info.getCount() + \" \" + System.getProperty(\"who\")); }, null, \"told\");\n"
            + "try { pool.setUsageThreshold(Long.MAX_VALUE); return \"taken\"; }\n"
            + "catch (IllegalArgumentException e) { return \"set \" + pool.getUsageThreshold(); }";
    try (Task task =
        new Task(dir, "fills", UserCode.compile(dir, UserCode.function("Fills", body)))) {
      assertThat(task.call("Fills", "")).isEqualTo("set 1");
      System.gc();
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(
              () ->
                  assertThat(task.out.toString().lines())
                      .contains(
                          "told java.management.memory.threshold.exceeded true 1 fills",
                          "told java.management.memory.collection.threshold.exceeded true 1"
                              + " fills"));
      assertThat(thresholds()).as("the engine's").isEqualTo(before);
    }
  }
}
