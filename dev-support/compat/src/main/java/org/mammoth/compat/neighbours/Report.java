// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** What a task sees: topic to one line. A look that throws is told as what it threw. */
final class Report {
  private static final int LONGEST = 400;

  private final SortedMap<String, String> lines = new TreeMap<>();

  void tell(String topic, Callable<?> look) {
    String seen;
    try {
      seen = text(look.call());
    } catch (Exception | LinkageError e) {
      seen = failure(e);
    }
    lines.put(topic, oneLine(seen));
  }

  /** Each entry under a topic of its own. */
  void tellEach(String topic, Callable<? extends Map<?, ?>> look) {
    try {
      look.call().forEach((key, value) -> tell(topic + "." + key, () -> value));
    } catch (Exception | LinkageError e) {
      lines.put(topic, oneLine(failure(e)));
    }
  }

  SortedMap<String, String> lines() {
    return lines;
  }

  private static String text(Object seen) {
    if (seen instanceof Collection<?> many) {
      return many.stream().map(String::valueOf).sorted().toList().toString();
    }
    if (seen instanceof Class<?> type) {
      return type.getName();
    }
    return String.valueOf(seen);
  }

  static String failure(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage());
    return "threw "
        + root.getClass().getName()
        + ": "
        + message.substring(0, Math.min(LONGEST, message.length()));
  }

  static String oneLine(String text) {
    return text.replace("\\", "\\\\")
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t");
  }
}
