// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.Task;

/** How the files of a task compare with each other and with those that Hadoop makes. */
class TaskFileTest {
  @TempDir private Path folder;

  private List<File> written(String... names) throws Exception {
    FutureTask<List<File>> making =
        new FutureTask<>(
            () -> {
              List<File> made = new ArrayList<>();
              for (String name : names) {
                made.add(new TaskFile(name));
              }
              return made;
            });
    try (Task task = new Task(folder, "task")) {
      task.start("main", making).join();
    }
    return making.get();
  }

  @Test
  void withEachOtherAsWhatWasWritten() throws Exception {
    assertThat(written("b", "/zz", "a", "/a").stream().sorted().map(File::toString))
        .containsExactly("/a", "/zz", "a", "b");
  }

  @Test
  void withOthersAlikeFromBothSides() throws Exception {
    String own = folder.resolve("task").toString();
    for (File file : written("b", "/zz", "/a", own + "/b")) {
      for (String name : new String[] {"/zz", "/a", own, own + "/b", own + "/c"}) {
        File plain = new File(name);
        assertThat(Integer.signum(file.compareTo(plain)))
            .as("%s and %s", file, plain)
            .isEqualTo(-Integer.signum(plain.compareTo(file)));
        assertThat(file.equals(plain)).as("%s and %s", file, plain).isEqualTo(plain.equals(file));
      }
    }
  }
}
