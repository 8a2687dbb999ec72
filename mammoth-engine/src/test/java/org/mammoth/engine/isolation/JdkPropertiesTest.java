// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdkPropertiesTest {
  @Test
  void oneThatThisJdkReadsNoMoreIsNone() {
    assertThat(JdkProperties.reads("sun.net.client.defaultReadTimeout")).isTrue();
    assertThat(JdkProperties.reads("sun.nio.ch.bugLevel")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "proxyHost",
        "proxyPort",
        "ftpProxyHost",
        "socksNonProxyHosts",
        "entityExpansionLimit",
        "elementAttributeLimit",
        "maxOccurLimit",
        "jdbc.drivers",
        "content.types.user.table",
        "java.util.PropertyResourceBundle.encoding",
        "java.util.Arrays.useLegacyMergeSort",
        "java.content.handler.pkgs",
        "java.nio.channels.DefaultThreadPool.initialSize"
      })
  void whatTheJdkReadsWhileItRunsIsKnown(String key) {
    assertThat(JdkProperties.reads(key)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"proxyUser", "jdbc.driver", "entity", "content.types", "java.vm.name"})
  void aProgramsOwnOfALikeNameIsItsOwn(String key) {
    assertThat(JdkProperties.reads(key)).isFalse();
  }

  @Test
  void whatLibrariesReadAsTheyAreInitialisedIsKnown() {
    assertThat(JdkProperties.readOnce())
        .contains("org.apache.avro.SERIALIZABLE_PACKAGES", "jute.maxbuffer", "io.netty.tmpdir")
        .noneMatch(String::isBlank)
        .noneMatch(JdkProperties::reads);
  }
}
