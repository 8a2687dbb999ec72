// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.config.ConfigKey;

/** The keys are complete, their defaults are values of theirs, and the page on them is current. */
class ConsoleKeysTest {

  private static final Path PAGE = Path.of("../docs/console/configuration.md");

  @Test
  void everyDeclaredKeyIsListed() throws Exception {
    List<Object> declared = new ArrayList<>();
    for (Class<?> keys : List.of(ConsoleKeys.class, AlertKeys.class)) {
      for (Field field : keys.getDeclaredFields()) {
        if (field.getType() == ConfigKey.class) {
          declared.add(field.get(null));
        }
      }
    }
    assertThat(declared).isNotEmpty().containsExactlyElementsOf(ConsoleKeys.all());
  }

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

  @Test
  void theReferencePageIsCurrent() throws Exception {
    if (Boolean.getBoolean("mammoth.update.docs")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, ConsoleKeys.reference());
    }
    assertThat(Files.readString(PAGE)).isEqualTo(ConsoleKeys.reference());
  }
}
