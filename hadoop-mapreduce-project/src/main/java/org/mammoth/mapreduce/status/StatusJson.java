// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the records of this package become JSON and come back. Fields that a reader does not know are
 * ignored, those that the writer did not have are 0, false, null or empty. Thread-safe.
 */
public final class StatusJson {

  /** Raised when a field changes its meaning or goes; new fields do not raise it. */
  public static final int VERSION = 1;

  private final ObjectReader reader;
  private final ObjectWriter writer;

  /** Makes the mapping; keep it, it is costly. */
  public StatusJson() {
    ObjectMapper mapper = new ObjectMapper();
    this.reader = mapper.reader().without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    this.writer = mapper.writer();
  }

  /** The JSON of a record of this package. */
  public String write(Object value) {
    try {
      return writer.writeValueAsString(value);
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
    return reader.forType(type).readValue(text);
  }

  static <T> List<T> orEmpty(List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  static Map<String, Long> orEmpty(Map<String, Long> map) {
    return map == null ? Map.of() : new LinkedHashMap<>(map);
  }
}
