// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of a process that are made when they are first asked for. */
class ProcessPartsTest {
  /** More than there are places in a small table, so that some of them meet whatever they are. */
  private static final int DEPTH = 100;

  @TempDir private Path folder;

  private static <T> T partWithin(TaskProcess process, Class<T> type, int depth) {
    return process.part(
        type,
        () -> {
          if (depth > 0) {
            assertThat(partWithin(process, type.arrayType(), depth - 1)).isNotNull();
          }
          return type.cast(Array.newInstance(type.getComponentType(), 0));
        });
  }

  @Test
  void theMakerOfOneAsksForOthers() throws Exception {
    try (Task task = new Task(folder, "task")) {
      int[] outermost = partWithin(task.process, int[].class, DEPTH);
      assertThat(partWithin(task.process, int[].class, DEPTH)).isSameAs(outermost);
    }
  }

  @Test
  void oneThatCannotBeMadeIsMadeNextTime() throws Exception {
    AtomicInteger made = new AtomicInteger();
    try (Task task = new Task(folder, "task")) {
      assertThatThrownBy(
              () ->
                  task.process.part(
                      String.class,
                      () -> {
                        throw new IllegalStateException("not now");
                      }))
          .hasMessage("not now");
      for (int i = 0; i < 2; i++) {
        assertThat(task.process.part(String.class, () -> "part " + made.incrementAndGet()))
            .isEqualTo("part 1");
      }
    }
  }
}
