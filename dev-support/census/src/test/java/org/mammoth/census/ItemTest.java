// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ItemTest {

  @Test
  void jarsAreNamedWithoutVersion() {
    assertThat(Item.jarName("hadoop-common-3.4.2.jar")).isEqualTo("hadoop-common");
    assertThat(Item.jarName("hadoop-common-3.4.2-tests.jar")).isEqualTo("hadoop-common-tests");
    assertThat(Item.jarName("guava-32.0.1-jre.jar")).isEqualTo("guava-jre");
    assertThat(Item.jarName("netty-common-4.1.118.Final.jar")).isEqualTo("netty-common");
    assertThat(Item.jarName("test")).isEqualTo("test");
  }
}
