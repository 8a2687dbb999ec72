// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.config.ConfigKey;

class EngineKeysTest {

  private final Configuration conf = new Configuration(false);

  @Test
  void everyDefaultIsInItsOwnRange() {
    for (ConfigKey<?> key : EngineKeys.all()) {
      conf.set(key.name(), key.defaultText());
      assertThat(key.get(conf)).as(key.name()).isEqualTo(key.defaultValue());
    }
  }

  @Test
  void aGlobThatIsNoneIsNamed() {
    conf.set("mammoth.engine.shared-jars", "a-*.jar, b-[.jar");
    assertThatThrownBy(() -> EngineKeys.SHARED_JARS.get(conf))
        .hasMessageContaining("mammoth.engine.shared-jars is 'a-*.jar, b-[.jar'");
    conf.set("mammoth.engine.shared-jars", "a-*.jar, b.jar,");
    assertThat(EngineKeys.SHARED_JARS.get(conf)).containsExactly("a-*.jar", "b.jar");
  }
}
