// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.mammoth.console.read.ConfigurationDifferences.Difference;
import org.mammoth.console.read.ConfigurationDifferences.Variant;

/** What differs is found, with the nodes on each side; what is each node's own name is none. */
class ConfigurationDifferencesTest {

  private static ObjectNode page(Map<String, String> settings) {
    ObjectNode page = new ObjectMapper().createObjectNode();
    ArrayNode properties = page.putArray("properties");
    settings.forEach((name, value) -> properties.addObject().put("key", name).put("value", value));
    return page;
  }

  private static ConfigurationDifferences differences() {
    return new ConfigurationDifferences(
        (name, value) -> name.contains("secret") ? "masked" : value);
  }

  @Test
  void theRarerValueIsNamedWithItsNodes() {
    ConfigurationDifferences all = differences();
    all.add("n1:1", List.of("n1"), page(Map.of("a", "1", "b", "x", "addr", "n1:8042")));
    all.add("n2:1", List.of("n2"), page(Map.of("a", "2", "b", "x", "addr", "n2:8042")));
    all.add("n3:1", List.of("n3"), page(Map.of("a", "1", "b", "x", "addr", "n3:8042", "c", "z")));
    assertThat(all.differences())
        .containsExactly(
            new Difference(
                "a",
                List.of(
                    new Variant("1", List.of("n1:1", "n3:1")), new Variant("2", List.of("n2:1")))),
            new Difference(
                "c",
                List.of(
                    new Variant("", List.of("n1:1", "n2:1")), new Variant("z", List.of("n3:1")))));
  }

  @Test
  void secretsAreMaskedBeforeTheyAreCompared() {
    ConfigurationDifferences all = differences();
    all.add("n1:1", List.of("n1"), page(Map.of("my.secret", "one")));
    all.add("n2:1", List.of("n2"), page(Map.of("my.secret", "two")));
    assertThat(all.differences()).isEmpty();
  }

  @Property(tries = 200)
  void agreesWithComparingEachKeyByItself(
      @ForAll @Size(min = 1, max = 70)
          List<@Size(max = 4) List<@IntRange(max = 3) Integer>> nodes) {
    ConfigurationDifferences all = differences();
    List<Map<String, String>> settings = new ArrayList<>();
    Set<String> names = new TreeSet<>();
    for (int n = 0; n < nodes.size(); n++) {
      Map<String, String> own = new HashMap<>();
      for (int k = 0; k < nodes.get(n).size(); k++) {
        // 0 stands for a key that the node does not have.
        if (nodes.get(n).get(k) > 0) {
          own.put("k" + k, "v" + nodes.get(n).get(k));
        }
      }
      names.addAll(own.keySet());
      settings.add(own);
      all.add("node" + n, List.of(), page(own));
    }
    names.removeIf(
        name -> settings.stream().map(own -> own.getOrDefault(name, "")).distinct().count() == 1);
    List<Difference> found = all.differences();
    assertThat(found).extracting(Difference::name).containsExactlyElementsOf(names);
    for (Difference difference : found) {
      for (Variant variant : difference.variants()) {
        for (String node : variant.nodes()) {
          int n = Integer.parseInt(node.substring(4));
          assertThat(settings.get(n).getOrDefault(difference.name(), ""))
              .isEqualTo(variant.value());
        }
      }
      assertThat(difference.variants().stream().mapToInt(v -> v.nodes().size()).sum())
          .isEqualTo(nodes.size());
    }
  }
}
