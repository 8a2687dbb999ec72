// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.config.ConfigKey.Scope;
import org.mammoth.config.ConfigKey.Tag;

class ConfigKeyTest {

  private enum Size {
    SMALL,
    VERY_LARGE
  }

  private static final ConfigKey<Long> IDLE =
      ConfigKey.ofLong("a.idle-ms", 600_000, 1_000, 900_000, "ms", Scope.NODE, "How long.");

  private static final ConfigKey<Size> SIZE =
      ConfigKey.ofChoice("a.size", Size.VERY_LARGE, Size.class, Scope.JOB, "How large.");

  private static final ConfigKey<List<Integer>> LIST =
      ConfigKey.ofList("a.list", "1,2", "number, ...", Scope.JOB, "Which.", Integer::valueOf);

  private final Configuration conf = new Configuration(false);

  private <T> T read(ConfigKey<T> key, String text) {
    conf.set(key.name(), text);
    return key.get(conf);
  }

  @Test
  void withoutATextTheDefaultHolds() {
    assertThat(IDLE.get(conf)).isEqualTo(600_000);
    assertThat(read(IDLE, " ")).isEqualTo(600_000);
    assertThat(read(SIZE, "")).isEqualTo(Size.VERY_LARGE);
    assertThat(LIST.get(conf)).containsExactly(1, 2);
  }

  @Property
  void aNumberIsTakenIfItIsInTheRange(@ForAll long number) {
    boolean inside = number >= 1_000 && number <= 900_000;
    conf.set(IDLE.name(), " " + number);
    if (inside) {
      assertThat(IDLE.get(conf)).isEqualTo(number);
    } else {
      assertThatThrownBy(() -> IDLE.get(conf)).hasMessageContaining("It is outside");
    }
  }

  @Property
  void anyTextIsAValueOrRefusedWithItsRemedy(@ForAll String text) {
    for (ConfigKey<?> key : List.of(IDLE, SIZE, LIST)) {
      conf.set(key.name(), text);
      try {
        assertThat(key.get(conf)).isNotNull();
      } catch (IllegalArgumentException e) {
        assertThat(e)
            .hasMessageStartingWith(key.name() + " is '" + conf.getTrimmed(key.name()) + "'")
            .hasMessageContaining(key.allowed())
            .hasMessageEndingWith("its default is '" + key.defaultText() + "'.");
      }
    }
  }

  @Test
  void theErrorSaysWhatIsAllowed() {
    assertThatThrownBy(() -> read(IDLE, "5"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a.idle-ms is '5', allowed: 1000 .. 900000 ms. It is outside. Correct or remove it;"
                + " its default is '600000'.");
  }

  @Test
  void theErrorSaysWhereTheTextStands(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("yarn-site.xml");
    Files.writeString(
        file,
        "<configuration><property><name>a.idle-ms</name><value>5</value></property>"
            + "</configuration>");
    conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    assertThatThrownBy(() -> IDLE.get(conf))
        .hasMessageStartingWith("a.idle-ms is '5' in ")
        .hasMessageContaining("yarn-site.xml, allowed: 1000 .. 900000 ms.");
  }

  @Test
  void whoKnowsMoreOfAValueRefusesItAlike() {
    conf.set("a.idle-ms", "5000");
    assertThat(IDLE.refusal(conf, "It is above a.most-ms", null))
        .hasMessage(
            "a.idle-ms is '5000', allowed: 1000 .. 900000 ms. It is above a.most-ms. Correct or"
                + " remove it; its default is '600000'.");
  }

  @Test
  void aFormerNameCountsUntilThePresentOneIsSet() {
    ConfigKey<Long> key = IDLE.formerly("a.idle", "a.pause");
    conf.set("a.pause", "3000");
    assertThat(key.get(conf)).isEqualTo(3_000);
    assertThat(IDLE.get(conf)).isEqualTo(600_000);
    conf.set("a.idle", "5");
    assertThatThrownBy(() -> key.get(conf)).hasMessageStartingWith("a.idle is '5', allowed");
    conf.set("a.idle-ms", "2000");
    assertThat(key.get(conf)).isEqualTo(2_000);
  }

  @Test
  void aNameNodesOwnTextGoesFirst() {
    ConfigKey<Long> key = IDLE.ofNameNodes();
    conf.set("a.idle-ms", "1001");
    conf.set("a.idle-ms.ns", "1002");
    conf.set("a.idle-ms.ns.nn1", "1003");
    assertThat(key.get(conf, "ns", "nn1")).isEqualTo(1_003);
    assertThat(key.get(conf, "ns", "nn2")).isEqualTo(1_002);
    assertThat(key.get(conf, "ns", null)).isEqualTo(1_002);
    assertThat(key.get(conf, "other", "nn1")).isEqualTo(1_001);
    assertThat(key.get(conf, null, "")).isEqualTo(1_001);
    conf.set("a.idle-ms.ns.nn1", "1");
    assertThatThrownBy(() -> key.get(conf, "ns", "nn1"))
        .hasMessageStartingWith("a.idle-ms.ns.nn1 is '1'");
  }

  @Test
  void whatAKeyIsToldOfItselfItKeeps() {
    ConfigKey<Long> key =
        IDLE.tagged(Tag.DEBUG).changeableIn("DataNode").formerly("a.idle").ofNameNodes();
    assertThat(key.tags()).containsExactly(Tag.DEBUG);
    assertThat(key.changeableIn()).isEqualTo("DataNode");
    assertThat(key.formerNames()).containsExactly("a.idle");
    assertThat(key.isOfNameNodes()).isTrue();
    assertThat(key).hasToString("a.idle-ms");
    assertThat(IDLE.changeableIn()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"flase", "TRUE", "yes", "0"})
  void aTypingErrorIsNotTakenForFalse(String text) {
    ConfigKey<Boolean> key = ConfigKey.ofBoolean("a.on", true, Scope.NODE, "Whether.");
    assertThatThrownBy(() -> read(key, text)).hasMessageContaining("It is neither");
    assertThat(read(key, "false")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "-0.1", "1.1", "x"})
  void aFractionIsBetweenZeroAndOne(String text) {
    ConfigKey<Double> key = ConfigKey.ofFraction("a.part", 0.5, Scope.NODE, "Which part.");
    assertThatThrownBy(() -> read(key, text)).hasMessageContaining("0.0 .. 1.0");
    assertThat(read(key, "1")).isEqualTo(1);
  }

  @Test
  void choicesAreSpelledInLowerCase() {
    assertThat(SIZE.defaultText()).isEqualTo("very-large");
    assertThat(read(SIZE, "small")).isEqualTo(Size.SMALL);
    assertThatThrownBy(() -> read(SIZE, "Small")).hasMessageContaining("small | very-large");
  }

  @Test
  void listsHaveNoEmptyElements() {
    assertThat(read(LIST, ", 3 ,,4,")).containsExactly(3, 4);
    assertThat(read(LIST, "3\n  4")).containsExactly(3, 4);
    assertThatThrownBy(() -> read(LIST, "3,x")).hasMessageContaining("'3,x'");
  }

  @Test
  void aDefaultThatIsNotAllowedCannotBeDeclared() {
    assertThatThrownBy(() -> ConfigKey.ofLong("a.n", 0, 1, 2, "", Scope.NODE, "How many."))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
