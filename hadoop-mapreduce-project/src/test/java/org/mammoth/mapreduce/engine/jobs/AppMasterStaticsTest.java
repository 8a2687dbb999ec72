// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AppMasterStaticsTest {

  private final AppMasterStatics statics = new AppMasterStatics();

  @AfterEach
  void restore() {
    statics.renew(Map.of());
  }

  @Test
  void aJobHasNoVariableOfTheJobBefore() {
    Map<String, String> before = Map.copyOf(System.getenv());
    statics.renew(Map.of("OF_THE_FIRST", "1", "PATH", "/first"));
    assertThat(System.getenv()).containsEntry("OF_THE_FIRST", "1").containsEntry("PATH", "/first");
    statics.renew(Map.of("OF_THE_SECOND", "2"));
    assertThat(System.getenv())
        .containsEntry("OF_THE_SECOND", "2")
        .doesNotContainKey("OF_THE_FIRST")
        .containsEntry("PATH", before.get("PATH"));
  }
}
