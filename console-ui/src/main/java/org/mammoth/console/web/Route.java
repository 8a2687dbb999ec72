// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One operation of the interface.
 *
 * @param path below /api/v1, with {parameters}
 * @param right who may call it
 * @param summary one sentence for the OpenAPI document
 * @param query the query parameters it knows
 * @param answer the record its answer is, or null for another kind of answer
 */
record Route(
    String method,
    String path,
    Right right,
    String summary,
    List<Param> query,
    Class<?> answer,
    Handler handler) {

  /** Who may call an operation. */
  enum Right {
    ANYONE,
    ADMIN
  }

  /**
   * A query parameter.
   *
   * @param type integer or string, as OpenAPI has it
   */
  record Param(String name, String type, boolean required, String description) {}

  /** Does the work. */
  interface Handler {
    /** The answer; an {@link ApiException} for one that is not 200. */
    Object answer(Call call) throws Exception;
  }

  /**
   * Whether it asks daemons, sums up a month or reads much, and so may hold a thread for seconds.
   */
  boolean waits() {
    return right == Right.ADMIN
        || path.startsWith("/jobs/")
        || path.startsWith("/cache/")
        || path.equals("/saved")
        || path.equals("/decisions")
        || path.equals("/health");
  }

  private static final String SEGMENT = "([^/]+)";

  /** The values of the path's parameters, or null if it is another path. */
  Map<String, String> match(String asked) {
    Matcher names = Pattern.compile("\\{(\\w+)}").matcher(path);
    Matcher values = Pattern.compile(path.replaceAll("\\{\\w+}", SEGMENT)).matcher(asked);
    if (!values.matches()) {
      return null;
    }
    Map<String, String> found = new java.util.LinkedHashMap<>();
    for (int i = 1; names.find(); i++) {
      found.put(names.group(1), values.group(i));
    }
    return found;
  }
}
