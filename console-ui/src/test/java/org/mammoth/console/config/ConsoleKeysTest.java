// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.config.ConfigKey;

/** Defaults are values of their keys, and wrong values are refused. */
class ConsoleKeysTest {

  @Test
  void defaultsAreWithinTheirRanges() {
    Configuration empty = new Configuration(false);
    for (ConfigKey<?> key : ConsoleKeys.all()) {
      assertThat(key.get(empty)).as(key.name()).isNotNull();
      assertThat(key.name()).startsWith("mammoth.console.");
    }
  }

  @Test
  void aWrongValueIsNamedWithWhatIsAllowed() {
    Configuration conf = new Configuration(false);
    conf.set("mammoth.console.port", "99999");
    assertThatThrownBy(() -> ConsoleKeys.PORT.get(conf))
        .hasMessageContaining("mammoth.console.port is '99999', allowed: 0 .. 65535");
    conf.set("mammoth.console.allow-unauthenticated", "yes");
    assertThatThrownBy(() -> ConsoleKeys.ALLOW_UNAUTHENTICATED.get(conf))
        .hasMessageContaining("true | false");
  }
}
