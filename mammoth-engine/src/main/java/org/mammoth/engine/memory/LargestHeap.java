// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The heap that options of a java command ask for, at most and at once. */
public final class LargestHeap {

  private static final Pattern LARGEST =
      Pattern.compile("-(?:Xmx|XX:MaxHeapSize=)(\\d+)([kKmMgGtT]?)");

  private static final Pattern FIRST =
      Pattern.compile("-(?:Xms|XX:InitialHeapSize=)(\\d+)([kKmMgGtT]?)");

  private static final Map<String, Integer> SHIFTS =
      Map.of("", 0, "k", 10, "m", 20, "g", 30, "t", 40);

  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  private LargestHeap() {}

  /** Bytes, by the last such option as the JVM has it; empty if there is none it would take. */
  public static OptionalLong in(String javaOptions) {
    return last(LARGEST, javaOptions);
  }

  /** Bytes that the heap is to have at once; empty if the options do not say. */
  public static OptionalLong atOnce(String javaOptions) {
    return last(FIRST, javaOptions);
  }

  private static OptionalLong last(Pattern option, String javaOptions) {
    OptionalLong largest = OptionalLong.empty();
    for (String word : javaOptions.trim().split("\\s+")) {
      Matcher matcher = option.matcher(word);
      if (matcher.matches()) {
        int shift = SHIFTS.get(matcher.group(2).toLowerCase(Locale.ROOT));
        BigInteger bytes = new BigInteger(matcher.group(1)).shiftLeft(shift);
        largest = OptionalLong.of(bytes.min(MOST).longValue());
      }
    }
    return largest;
  }
}
