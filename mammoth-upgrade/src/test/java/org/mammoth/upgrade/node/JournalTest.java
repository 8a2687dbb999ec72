// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

  @TempDir Path folder;

  private Journal journal() {
    return new Journal(folder.resolve("journal"), Clock.systemUTC());
  }

  @Test
  void tellsWhereARunEnded() throws IOException {
    Journal journal = journal();
    assertThat(journal.unfinished()).isEmpty();
    journal.add(Journal.Event.RUN, "apply 1", "");
    journal.add(Journal.Event.BEGIN, "copy", "");
    journal.add(Journal.Event.FAILED, "copy", "disk full");
    assertThat(journal().unfinished()).get().extracting(Journal.Entry::name).isEqualTo("apply 1");
    assertThat(journal().unfinished())
        .get()
        .extracting(Journal.Entry::detail)
        .isEqualTo("copy: disk full");
    journal.add(Journal.Event.RUN, "apply 1", "");
    journal.add(Journal.Event.FINISHED, "apply 1", "");
    assertThat(journal().unfinished()).isEmpty();
  }

  @Test
  void aLineThatWasCutOffSpoilsNothing() throws IOException {
    journal().add(Journal.Event.RUN, "apply 1", "");
    Files.writeString(folder.resolve("journal"), "{\"at\":\"20", StandardOpenOption.APPEND);
    journal().add(Journal.Event.RESTARTING, "restart", "");
    assertThat(journal().entries()).hasSize(2);
    assertThat(journal().isRestarting()).isTrue();
    journal().add(Journal.Event.RESTARTED, "restart", "");
    assertThat(journal().isRestarting()).isFalse();
  }
}
