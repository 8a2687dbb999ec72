// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the records of this package become JSON and come back. Fields that a reader does not know are
 * ignored, those that the writer did not have are 0, false, null or empty. Thread-safe.
 */
public final class StatusJson {

  /** Raised when a field changes its meaning or goes; new fields do not raise it. */
  public static final int VERSION = 1;

  private static final TypeReference<TreeMap<String, Long>> NUMBERS = new TypeReference<>() {};

  private final ObjectMapper mapper = new ObjectMapper();

  /** Makes the mapping; keep it, it is costly. */
  public StatusJson() {
    mapper.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    mapper.registerModule(new SimpleModule().addDeserializer(String.class, new Texts()));
  }

  /** The JSON of a record of this package. */
  public String write(Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("records of numbers and texts are always JSON", e);
    }
  }

  /**
   * Reads a record of this package.
   *
   * @throws IOException if the text is no JSON of it
   */
  public <T> T read(String text, Class<T> type) throws IOException {
    return mapper.readValue(text, type);
  }

  /**
   * Reads a record of this package that was read as JSON already.
   *
   * @throws IOException if it is no JSON of it
   */
  public <T> T read(JsonNode value, Class<T> type) throws IOException {
    return mapper.treeToValue(value, type);
  }

  /** The numbers of a record of this package by name, those that are not null. */
  public Map<String, Long> numbers(Object value) {
    return mapper.convertValue(value, NUMBERS);
  }

  /** Makes a record of this package of what {@link #numbers} tells. */
  public <T> T ofNumbers(Map<String, Long> numbers, Class<T> type) {
    return mapper.convertValue(numbers, type);
  }

  /** For lists that another version may not send. */
  static <T> List<T> orEmpty(List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  static <T> Map<String, T> orEmpty(Map<String, T> map) {
    return map == null ? Map.of() : new LinkedHashMap<>(map);
  }

  /** Reads texts: one that is not told is empty. */
  private static final class Texts extends StringDeserializer {

    private static final long serialVersionUID = 1;

    @Override
    public String getNullValue(DeserializationContext context) {
      return "";
    }
  }
}
