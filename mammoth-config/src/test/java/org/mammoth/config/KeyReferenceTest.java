// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.config.ConfigKey.Scope;

class KeyReferenceTest {

  private static final List<ConfigKey<?>> KEYS =
      List.of(
          ConfigKey.ofBoolean("a.on", true, Scope.JOB, "Whether a < b."),
          ConfigKey.ofString("a.path", "", Scope.NODE, "Where."));

  @Test
  void aPageHasARowForEachKey() {
    assertThat(
            KeyReference.page(
                "# Keys",
                KEYS,
                KeyReference.NAME,
                KeyReference.DEFAULT,
                KeyReference.SCOPE,
                KeyReference.ALLOWED,
                KeyReference.MEANING))
        .isEqualTo(
            """
            # Keys

            | key | default | scope | allowed | meaning |
            |---|---|---|---|---|
            | `a.on` | `true` | job | true \\| false | Whether a < b. |
            | `a.path` |  | node | text | Where. |
            """);
  }

  @Test
  void theDefaultsFileCanBeReadBack(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("default.xml");
    Files.writeString(file, KeyReference.defaultsXml(KEYS));
    Configuration defaults = new Configuration(false);
    defaults.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    for (ConfigKey<?> key : KEYS) {
      assertThat(defaults.get(key.name(), "")).isEqualTo(key.defaultText());
      assertThat(key.get(defaults)).isEqualTo(key.defaultValue());
    }
  }
}
