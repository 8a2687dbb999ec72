// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mammoth.census.samples.Shared;

class JdkCallsTest {

  private static final List<String> METHODS =
      List.of(
          "# For the test.",
          "java.util.Locale setDefault",
          "java.lang.System setProperty gc",
          "java.lang.Thread setDefaultUncaughtExceptionHandler");

  @Test
  void callsAndReferencesAreListedByClass() {
    ClassFiles files = ClassFiles.ofClasses(List.of(Shared.Calls.class));
    // Ours are not rewritten, so that all calls are left.
    assertThat(new JdkCalls(METHODS, null).in(files))
        .extracting(Item::id)
        .containsExactly(
            "org.mammoth.census.samples.Shared$Calls.Locale.setDefault()",
            "org.mammoth.census.samples.Shared$Calls.System.gc()",
            "org.mammoth.census.samples.Shared$Calls.System.setProperty()");
  }
}
