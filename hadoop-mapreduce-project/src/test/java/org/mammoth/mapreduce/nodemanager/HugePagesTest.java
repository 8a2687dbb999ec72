// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HugePagesTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "[always] madvise never, true",
    "always [madvise] never, true",
    "always madvise [never], false",
    "'', false"
  })
  void theKernelsChoiceIsInBrackets(String choices, boolean given) throws IOException {
    Path file = Files.writeString(folder.resolve("enabled"), choices + "\n");
    assertThat(HugePages.onRequest(file)).isEqualTo(given);
  }

  @Test
  void withoutTheFileThereAreNone() {
    assertThat(HugePages.onRequest(folder.resolve("enabled"))).isFalse();
  }
}
