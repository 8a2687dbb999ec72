// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LargestHeapTest {

  @ParameterizedTest
  @CsvSource({
    "-Xmx512m, 536870912",
    "-Xmx1, 1",
    "-Xmx1g -XX:MaxHeapSize=2k, 2048",
    "-Xmx8388607T, 9223370937343148032",
    "-Xmx8388608t, 9223372036854775807",
    "-Xmx99999999999999999999, 9223372036854775807",
  })
  void theLastOneHolds(String options, long bytes) {
    assertThat(LargestHeap.in(options)).hasValue(bytes);
  }

  @Test
  void whatTheJvmRefusesIsNone() {
    assertThat(LargestHeap.in("-Xmx -Xmx1p -Xmxm")).isEmpty();
    assertThat(LargestHeap.atOnce("-Xmx1g")).isEmpty();
  }
}
