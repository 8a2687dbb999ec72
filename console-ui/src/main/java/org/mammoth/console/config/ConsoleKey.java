// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.config;

import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/**
 * One configuration key of the console: the only place where its name, default, range and meaning
 * stand. All are read once, when the console starts.
 *
 * <p>Immutable; any thread.
 *
 * @param name the key
 * @param defaultText the default as it is written in a configuration file
 * @param range what is allowed, with the unit, for people
 * @param sentence what it is for
 * @param parser throws IllegalArgumentException on what is not allowed
 * @param <T> type of the value
 */
public record ConsoleKey<T>(
    String name, String defaultText, String range, String sentence, Function<String, T> parser) {

  static ConsoleKey<Long> ofLong(
      String name, long def, long min, long max, String unit, String sentence) {
    return new ConsoleKey<>(
        name,
        String.valueOf(def),
        (min + " .. " + max + " " + unit).trim(),
        sentence,
        text -> {
          long value = Long.parseLong(text);
          if (value < min || value > max) {
            throw new IllegalArgumentException("outside its range");
          }
          return value;
        });
  }

  static ConsoleKey<Boolean> ofBoolean(String name, boolean def, String sentence) {
    return new ConsoleKey<>(
        name,
        String.valueOf(def),
        "true | false",
        sentence,
        text -> {
          if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("neither true nor false");
          }
          return text.equals("true");
        });
  }

  static ConsoleKey<String> ofText(String name, String def, String sentence) {
    return new ConsoleKey<>(name, def, "text", sentence, text -> text);
  }

  /**
   * The value in force.
   *
   * @throws IllegalArgumentException naming the key, the value and what is allowed
   */
  public T get(Configuration conf) {
    String text = conf.getTrimmed(name, "");
    try {
      return parser.apply(text.isEmpty() ? defaultText : text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name
              + " is '"
              + text
              + "', allowed: "
              + range
              + ". Correct or remove it; its default is '"
              + defaultText
              + "'. "
              + e.getMessage(),
          e);
    }
  }
}
