// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The JSON is what its page says, field by field. */
class EngineJsonTest {

  private static final Path PAGE = Path.of("..", "docs", "engine-json.md");
  private static final List<Class<? extends Record>> ROOTS =
      List.of(NodeSnapshot.class, NodeDecisions.class, EngineSnapshot.class, EngineDecisions.class);

  private final StatusJson json = new StatusJson();

  private static String nameOf(Class<?> type) {
    return type.isMemberClass()
        ? type.getDeclaringClass().getSimpleName() + "." + type.getSimpleName()
        : type.getSimpleName();
  }

  /** The record that a component is or holds, or null. */
  private static Class<?> recordIn(Type type) {
    Type inner =
        type instanceof ParameterizedType generic ? generic.getActualTypeArguments()[0] : type;
    return inner instanceof Class<?> found && found.isRecord() ? found : null;
  }

  private static void collect(Class<?> type, Map<String, List<String>> fields) {
    if (fields.containsKey(nameOf(type))) {
      return;
    }
    RecordComponent[] components = type.getRecordComponents();
    fields.put(nameOf(type), Arrays.stream(components).map(RecordComponent::getName).toList());
    for (RecordComponent component : components) {
      Class<?> inner = recordIn(component.getGenericType());
      if (inner != null) {
        collect(inner, fields);
      }
    }
  }

  /** The page's tables by their headings: what stands in back quotes in the first column. */
  private static Map<String, List<String>> tables() throws IOException {
    Map<String, List<String>> tables = new LinkedHashMap<>();
    List<String> table = new ArrayList<>();
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("## ")) {
        table = new ArrayList<>();
        tables.put(line.substring(3), table);
      } else if (line.startsWith("| `")) {
        table.add(line.substring(3, line.indexOf('`', 3)));
      }
    }
    return tables;
  }

  @Test
  void thePageListsExactlyTheFieldsThereAre() throws IOException {
    Map<String, List<String>> fields = new TreeMap<>();
    ROOTS.forEach(root -> collect(root, fields));
    Map<String, List<String>> page = new TreeMap<>(tables());
    page.keySet().removeAll(List.of("Kinds of buffers", "Classes of I/O", "Actions", "Rules"));
    assertThat(page).isEqualTo(fields);
  }

  /** A record with something in each field, so that nothing can get lost unseen. */
  private static Object filled(Type type) throws ReflectiveOperationException {
    if (type instanceof ParameterizedType generic) {
      Object inner = filled(generic.getActualTypeArguments()[0]);
      return generic.getRawType() == List.class ? List.of(inner) : Map.of("KEY", 7L);
    }
    if (type == String.class) {
      return "text";
    }
    if (type == boolean.class) {
      return true;
    }
    if (type == double.class) {
      return 1.5;
    }
    if (type == int.class) {
      return 3;
    }
    if (type == long.class) {
      return 1L << 40;
    }
    Class<?> record = (Class<?>) type;
    RecordComponent[] components = record.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = filled(components[i].getGenericType());
    }
    Constructor<?> constructor = record.getDeclaredConstructor(types);
    return constructor.newInstance(values);
  }

  private static void assertFields(JsonNode node, Class<?> type) {
    List<String> found = new ArrayList<>();
    node.fieldNames().forEachRemaining(found::add);
    assertThat(found)
        .as(nameOf(type))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList());
    for (RecordComponent component : type.getRecordComponents()) {
      Class<?> inner = recordIn(component.getGenericType());
      if (inner != null) {
        JsonNode value = node.get(component.getName());
        assertFields(value.isArray() ? value.get(0) : value, inner);
      }
    }
  }

  @Test
  void whatIsWrittenHasTheFieldsAndComesBack() throws Exception {
    for (Class<? extends Record> root : ROOTS) {
      Record sample = (Record) filled(root);
      String text = json.write(sample);
      assertFields(new ObjectMapper().readTree(text), root);
      assertThat((Record) json.read(text, root)).isEqualTo(sample);
    }
  }

  @Test
  void anotherVersionsFieldsDoNoHarm() throws IOException {
    EngineSnapshot read =
        json.read("{\"version\":9,\"pid\":5,\"unheardOf\":{\"a\":[1]}}", EngineSnapshot.class);
    assertThat(read.version()).isEqualTo(9);
    assertThat(read.pid()).isEqualTo(5);
    assertThat(read.tasks()).isEmpty();
    assertThat(read.disks()).isEmpty();
    assertThat(read.memory()).isNull();
    assertThat(json.read("{}", NodeSnapshot.class).engines()).isEmpty();
    assertThat(json.read("{}", MemoryUse.class).byKind()).isEmpty();
  }
}
