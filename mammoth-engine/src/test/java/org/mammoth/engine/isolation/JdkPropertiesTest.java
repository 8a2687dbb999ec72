// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JdkPropertiesTest {
  @Test
  void oneThatThisJdkReadsNoMoreIsNone() {
    assertThat(JdkProperties.reads("sun.net.client.defaultReadTimeout")).isTrue();
    assertThat(JdkProperties.reads("sun.nio.ch.bugLevel")).isFalse();
  }

  @Test
  void whatLibrariesReadAsTheyAreInitialisedIsKnown() {
    assertThat(JdkProperties.readOnce())
        .contains("org.apache.avro.SERIALIZABLE_PACKAGES", "jute.maxbuffer", "io.netty.tmpdir")
        .noneMatch(String::isBlank)
        .noneMatch(JdkProperties::reads);
  }
}
