// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.config.ConfigKey;
import org.mammoth.config.KeyReference;

class EngineKeysTest {

  private static final Path PAGE = Path.of("..", "docs", "configuration.md");

  private final Configuration conf = new Configuration(false);

  @Test
  void everyDefaultIsInItsOwnRange() {
    for (ConfigKey<?> key : EngineKeys.all()) {
      conf.set(key.name(), key.defaultText());
      assertThat(key.get(conf)).as(key.name()).isEqualTo(key.defaultValue());
    }
  }

  @Test
  void everyDeclaredKeyIsListed() throws IllegalAccessException {
    List<Object> declared = new ArrayList<>();
    for (Class<?> keys :
        List.of(
            AdminKeys.class,
            EngineKeys.class,
            SortKeys.class,
            MemoryKeys.class,
            IoKeys.class,
            ShuffleKeys.class,
            DataCacheKeys.class)) {
      for (Field field : keys.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigKey.class) {
          declared.add(field.get(null));
        }
      }
    }
    assertThat(EngineKeys.all()).containsExactlyInAnyOrderElementsOf(castKeys(declared));
  }

  private static List<ConfigKey<?>> castKeys(List<Object> declared) {
    List<ConfigKey<?>> keys = new ArrayList<>();
    declared.forEach(key -> keys.add((ConfigKey<?>) key));
    return keys;
  }

  @Test
  void aGlobThatIsNoneIsNamed() {
    conf.set("mammoth.engine.shared-jars", "a-*.jar, b-[.jar");
    assertThatThrownBy(() -> EngineKeys.SHARED_JARS.get(conf))
        .hasMessageContaining("mammoth.engine.shared-jars is 'a-*.jar, b-[.jar'");
    conf.set("mammoth.engine.shared-jars", "a-*.jar, b.jar,");
    assertThat(EngineKeys.SHARED_JARS.get(conf)).containsExactly("a-*.jar", "b.jar");
  }

  /** Run Maven with {@code -Dtest.heap="1g -Dmammoth.update.docs=true"} to write the page anew. */
  @Test
  void theReferencePageIsWhatTheDeclarationsSay() throws IOException {
    String page = EngineKeys.reference();
    if (Boolean.getBoolean("mammoth.update.docs")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(page);
  }

  @Test
  void theDefaultsFileCanBeReadBack() throws IOException {
    Path file = Files.createTempFile("mammoth-default", ".xml");
    Files.writeString(file, KeyReference.defaultsXml(EngineKeys.all()));
    Configuration defaults = new Configuration(false);
    defaults.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    for (ConfigKey<?> key : EngineKeys.all()) {
      assertThat(key.get(defaults)).as(key.name()).isEqualTo(key.defaultValue());
    }
    Files.delete(file);
  }
}
