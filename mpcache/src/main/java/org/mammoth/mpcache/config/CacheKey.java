// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.config;

import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/**
 * One configuration key of the cache: the only place where its name, default, unit, range and
 * meaning stand.
 *
 * <p>Immutable; any thread.
 *
 * @param <T> type of the value
 */
public final class CacheKey<T> {

  private final String name;
  private final String defaultText;
  private final String unit;
  private final String range;
  private final String sentence;
  private final Function<String, T> parser;

  /**
   * @param defaultText the default as it is written in a configuration file
   * @param unit of the value, or ""
   * @param range what is allowed, for people
   * @param parser throws IllegalArgumentException on what is not allowed
   */
  CacheKey(
      String name,
      String defaultText,
      String unit,
      String range,
      String sentence,
      Function<String, T> parser) {
    this.name = name;
    this.defaultText = defaultText;
    this.unit = unit;
    this.range = range;
    this.sentence = sentence;
    this.parser = parser;
  }

  static CacheKey<Long> ofLong(
      String name, long def, long min, long max, String unit, String sentence) {
    return new CacheKey<>(
        name,
        String.valueOf(def),
        unit,
        min + " .. " + max,
        sentence,
        text -> {
          long value = Long.parseLong(text);
          check(value >= min && value <= max);
          return value;
        });
  }

  static CacheKey<Double> ofDouble(
      String name, double def, double min, double max, String sentence) {
    return new CacheKey<>(
        name,
        String.valueOf(def),
        "",
        min + " .. " + max,
        sentence,
        text -> {
          double value = Double.parseDouble(text);
          check(value >= min && value <= max);
          return value;
        });
  }

  static CacheKey<Boolean> ofBoolean(String name, boolean def, String sentence) {
    return new CacheKey<>(
        name,
        String.valueOf(def),
        "",
        "true | false",
        sentence,
        text -> {
          check(text.equals("true") || text.equals("false"));
          return text.equals("true");
        });
  }

  private static void check(boolean allowed) {
    if (!allowed) {
      throw new IllegalArgumentException("outside its range");
    }
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
              + (unit.isEmpty() ? "" : " (" + unit + ")")
              + ". Correct or remove it; its default is '"
              + defaultText
              + "'. "
              + e.getMessage(),
          e);
    }
  }

  public String name() {
    return name;
  }

  public String defaultText() {
    return defaultText;
  }

  public String unit() {
    return unit;
  }

  public String range() {
    return range;
  }

  public String sentence() {
    return sentence;
  }
}
