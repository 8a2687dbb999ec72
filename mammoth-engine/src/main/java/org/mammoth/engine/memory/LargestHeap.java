// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The largest heap that options of a java command ask for. */
public final class LargestHeap {

  private static final Pattern OPTION =
      Pattern.compile("-(?:Xmx|XX:MaxHeapSize=)(\\d+)([kKmMgGtT]?)");

  private static final Map<String, Integer> SHIFTS =
      Map.of("", 0, "k", 10, "m", 20, "g", 30, "t", 40);

  private LargestHeap() {}

  /** Bytes, by the last such option as the JVM has it; empty if there is none it would take. */
  public static OptionalLong in(String javaOptions) {
    OptionalLong largest = OptionalLong.empty();
    for (String option : javaOptions.trim().split("\\s+")) {
      Matcher matcher = OPTION.matcher(option);
      if (matcher.matches()) {
        int shift = SHIFTS.get(matcher.group(2).toLowerCase(Locale.ROOT));
        largest = OptionalLong.of(Long.parseLong(matcher.group(1)) << shift);
      }
    }
    return largest;
  }
}
