// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.Map;

/**
 * One request to the interface.
 *
 * @param path values of the path's parameters
 * @param query values of the query's parameters
 */
record Call(Viewer viewer, Map<String, String> path, Map<String, String> query) {

  private static final int MAX_TEXT = 512;

  String text(String name) throws ApiException {
    String value = path.containsKey(name) ? path.get(name) : query.get(name);
    if (value == null || value.isEmpty()) {
      throw new ApiException(400, "the parameter " + name + " is missing");
    }
    if (value.length() > MAX_TEXT || value.chars().anyMatch(c -> c < ' ')) {
      throw new ApiException(400, "the parameter " + name + " is too long or not printable");
    }
    return value;
  }

  long number(String name, long def, long min, long max) throws ApiException {
    String value = query.get(name);
    if (value == null) {
      return def;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new ApiException(400, "the parameter " + name + " is no whole number");
    }
    throw new ApiException(400, "the parameter " + name + " is not within " + min + " .. " + max);
  }
}
