// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import java.nio.file.FileSystems;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * One configuration key: the only place where its name, default, unit, range and meaning stand. The
 * defaults file and the reference page are made from these declarations.
 *
 * <p>Immutable; any thread. Reading a value outside the range throws {@link
 * IllegalArgumentException} naming the key, the value and what is allowed.
 *
 * @param <T> type of the value
 */
public final class ConfigKey<T> {

  /** Who may set a key with effect. */
  public enum Scope {
    /** Read once per daemon from the node's configuration. */
    NODE,
    /** Read per job; the node's value is the default. */
    JOB
  }

  private final String name;
  private final T defaultValue;
  private final String unit;
  private final String range;
  private final Scope scope;
  private final String sentence;
  private final BiFunction<Configuration, ConfigKey<T>, T> reader;

  private ConfigKey(
      String name,
      T defaultValue,
      String unit,
      String range,
      Scope scope,
      String sentence,
      BiFunction<Configuration, ConfigKey<T>, T> reader) {
    this.name = name;
    this.defaultValue = defaultValue;
    this.unit = unit;
    this.range = range;
    this.scope = scope;
    this.sentence = sentence;
    this.reader = reader;
  }

  static ConfigKey<Boolean> ofBoolean(String name, boolean def, Scope scope, String sentence) {
    return new ConfigKey<>(
        name,
        def,
        "",
        "true | false",
        scope,
        sentence,
        (conf, key) -> parse(conf, key, ConfigKey::strictBoolean));
  }

  static ConfigKey<Long> ofLong(
      String name, long def, long min, long max, String unit, Scope scope, String sentence) {
    return new ConfigKey<>(
        name,
        def,
        unit,
        min + " .. " + max,
        scope,
        sentence,
        (conf, key) -> {
          long value = parse(conf, key, Long::parseLong);
          if (value < min || value > max) {
            throw key.refuse(String.valueOf(value));
          }
          return value;
        });
  }

  static ConfigKey<Double> ofFraction(String name, double def, Scope scope, String sentence) {
    return new ConfigKey<>(
        name,
        def,
        "",
        "0.0 .. 1.0",
        scope,
        sentence,
        (conf, key) -> {
          double value = parse(conf, key, Double::parseDouble);
          if (!(value >= 0 && value <= 1)) {
            throw key.refuse(String.valueOf(value));
          }
          return value;
        });
  }

  static ConfigKey<String> ofString(String name, String def, Scope scope, String sentence) {
    return new ConfigKey<>(
        name, def, "", "text", scope, sentence, (conf, key) -> conf.getTrimmed(name, def));
  }

  /** A list with commas between its globs, which name files. */
  static ConfigKey<List<String>> ofGlobs(String name, Scope scope, String sentence) {
    return new ConfigKey<>(
        name,
        List.of(),
        "",
        "globs of file names",
        scope,
        sentence,
        (conf, key) -> {
          List<String> globs = List.copyOf(conf.getTrimmedStringCollection(name));
          for (String each : globs) {
            try {
              FileSystems.getDefault().getPathMatcher("glob:" + each);
            } catch (PatternSyntaxException e) {
              throw key.refuse(each);
            }
          }
          return globs;
        });
  }

  static <E extends Enum<E>> ConfigKey<E> ofChoice(
      String name, E def, Class<E> choices, Scope scope, String sentence) {
    StringBuilder range = new StringBuilder();
    for (E choice : choices.getEnumConstants()) {
      range.append(range.length() == 0 ? "" : " | ").append(spelled(choice));
    }
    return new ConfigKey<>(
        name,
        def,
        "",
        range.toString(),
        scope,
        sentence,
        (conf, key) -> {
          String text = conf.getTrimmed(name);
          if (text == null || text.isEmpty()) {
            return def;
          }
          for (E choice : choices.getEnumConstants()) {
            if (spelled(choice).equals(text)) {
              return choice;
            }
          }
          throw key.refuse(text);
        });
  }

  /**
   * The value in force in {@code conf}.
   *
   * @throws IllegalArgumentException if the configured text is not a value of this key
   */
  public T get(Configuration conf) {
    return reader.apply(conf, this);
  }

  public String name() {
    return name;
  }

  public T defaultValue() {
    return defaultValue;
  }

  /** The default as it is written in a configuration file. */
  public String defaultText() {
    if (defaultValue instanceof List<?> list) {
      return list.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
    return defaultValue instanceof Enum<?> choice ? spelled(choice) : String.valueOf(defaultValue);
  }

  public String unit() {
    return unit;
  }

  public String range() {
    return range;
  }

  public Scope scope() {
    return scope;
  }

  public String sentence() {
    return sentence;
  }

  private static String spelled(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static boolean strictBoolean(String text) {
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw new IllegalArgumentException("neither true nor false");
  }

  private static <T> T parse(Configuration conf, ConfigKey<T> key, Function<String, T> parser) {
    String text = conf.getTrimmed(key.name);
    if (text == null || text.isEmpty()) {
      return key.defaultValue;
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw key.refuse(text);
    }
  }

  private IllegalArgumentException refuse(String text) {
    return new IllegalArgumentException(
        name
            + " is '"
            + text
            + "', allowed: "
            + range
            + (unit.isEmpty() ? "" : " (" + unit + ")")
            + ". Correct or remove it; its default is "
            + defaultText()
            + ".");
  }
}
