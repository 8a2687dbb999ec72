// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.profile;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/**
 * Adds samples up by stack, in the form that flame graphs are drawn from: the thread's name, then
 * frames from the outermost on, with semicolons between. One thread.
 */
public final class StackCounts {

  /** What is beyond is a rest that no picture shows; an answer stays within some 2 MB. */
  private static final int MOST = 4000;

  /** What the samples beyond are added up under. */
  private static final String REST = "(other stacks)";

  private final Map<String, Long> counts = new HashMap<>();

  /** Adds a sample; one without a thread or a stack counts as well. */
  void add(RecordedThread thread, RecordedStackTrace stack, long weight) {
    StringBuilder line = new StringBuilder();
    String name = thread == null ? null : thread.getJavaName();
    line.append(name == null ? "(unknown thread)" : named(name));
    List<RecordedFrame> frames = stack == null ? List.of() : stack.getFrames();
    for (int i = frames.size() - 1; i >= 0; i--) {
      RecordedMethod method = frames.get(i).getMethod();
      line.append(';').append(method.getType().getName()).append('.').append(method.getName());
    }
    counts.merge(line.toString(), weight, Long::sum);
  }

  /** Threads of a pool are one; a name with an attempt in it keeps the attempt's numbers. */
  private static String named(String thread) {
    String name = thread.replace(';', ',');
    return name.contains("attempt_") ? name : name.replaceAll("\\d+", "…");
  }

  /** The largest first, and the rest of them in one. */
  Map<String, Long> largest() {
    Map<String, Long> largest = new LinkedHashMap<>();
    long[] rest = {0};
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(
            entry -> {
              if (largest.size() < MOST) {
                largest.put(entry.getKey(), entry.getValue());
              } else {
                rest[0] += entry.getValue();
              }
            });
    if (rest[0] > 0) {
      largest.put(REST, rest[0]);
    }
    return largest;
  }
}
