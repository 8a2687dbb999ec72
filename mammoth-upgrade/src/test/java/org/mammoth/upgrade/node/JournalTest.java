// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Optional;
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
  void tellsWhatDaemonsStartedWithBeforeRunsThatAreNotProven() throws IOException {
    Journal journal = journal();
    journal.add(Journal.Event.RUN, "apply 2", "");
    assertThat(journal.unproven().isChanged()).isFalse();
    journal.add(Journal.Event.BEFORE, "switch", "1");
    journal.add(Journal.Event.RUN, "apply 3", "");
    journal.add(Journal.Event.BEFORE, "switch", "2");
    assertThat(journal.unproven()).isEqualTo(new Journal.Unproven(true, Optional.of("1")));
    journal.add(Journal.Event.BEGIN, "tidy", "");
    assertThat(journal.unproven()).isEqualTo(new Journal.Unproven(false, Optional.empty()));
    journal.add(Journal.Event.RUN, "rollback", "");
    journal.add(Journal.Event.RESTARTING, "restart", "");
    assertThat(journal.unproven()).isEqualTo(new Journal.Unproven(true, Optional.of("stock")));
  }

  @Test
  void aLetterThatWasCutInTwoSpoilsNothingElse() throws IOException {
    journal().add(Journal.Event.RUN, "apply 1", "");
    Files.write(
        folder.resolve("journal"), new byte[] {'{', '"', (byte) 0xc3}, StandardOpenOption.APPEND);
    journal().add(Journal.Event.RESTARTING, "restart", "");
    assertThat(journal().entries()).hasSize(2);
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
