// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * One configuration key: the only place where its name, default, unit, range and meaning stand. The
 * defaults file and the reference pages are made from these declarations.
 *
 * <p>Immutable; any thread.
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
  private final String defaultText;
  private final String allowed;
  private final Scope scope;
  private final String sentence;
  private final Function<String, T> parser;
  private final T defaultValue;

  private ConfigKey(
      String name,
      String defaultText,
      String allowed,
      Scope scope,
      String sentence,
      Function<String, T> parser) {
    this.name = name;
    this.defaultText = defaultText;
    this.allowed = allowed;
    this.scope = scope;
    this.sentence = sentence;
    this.parser = parser;
    this.defaultValue = parser.apply(defaultText);
  }

  /**
   * A key of any type.
   *
   * @param defaultText the default as it is written in a configuration file
   * @param allowed what is allowed, with the unit, for people
   * @param sentence what it is for
   * @param parser of a trimmed text; throws IllegalArgumentException, which says why, on what is
   *     not allowed
   * @throws IllegalArgumentException if the default is not allowed
   */
  public static <T> ConfigKey<T> of(
      String name,
      String defaultText,
      String allowed,
      Scope scope,
      String sentence,
      Function<String, T> parser) {
    return new ConfigKey<>(name, defaultText, allowed, scope, sentence, parser);
  }

  public static ConfigKey<Boolean> ofBoolean(
      String name, boolean def, Scope scope, String sentence) {
    return of(
        name,
        String.valueOf(def),
        "true | false",
        scope,
        sentence,
        text -> {
          // A typing error must not be taken for false.
          check(text.equals("true") || text.equals("false"), "It is neither");
          return text.equals("true");
        });
  }

  public static ConfigKey<Long> ofLong(
      String name, long def, long min, long max, String unit, Scope scope, String sentence) {
    return ofNumber(name, def, min, max, unit, scope, sentence, Long::valueOf);
  }

  public static ConfigKey<Double> ofDouble(
      String name, double def, double min, double max, Scope scope, String sentence) {
    return ofNumber(name, def, min, max, "", scope, sentence, Double::valueOf);
  }

  private static <N extends Comparable<N>> ConfigKey<N> ofNumber(
      String name,
      N def,
      N min,
      N max,
      String unit,
      Scope scope,
      String sentence,
      Function<String, N> parser) {
    return of(
        name,
        String.valueOf(def),
        (min + " .. " + max + " " + unit).trim(),
        scope,
        sentence,
        text -> {
          N value = number(text, parser);
          check(value.compareTo(min) >= 0 && value.compareTo(max) <= 0, "It is outside");
          return value;
        });
  }

  public static ConfigKey<Double> ofFraction(
      String name, double def, Scope scope, String sentence) {
    return ofDouble(name, def, 0, 1, scope, sentence);
  }

  public static ConfigKey<String> ofString(String name, String def, Scope scope, String sentence) {
    return of(name, def, "text", scope, sentence, text -> text);
  }

  /** One of an enum's constants, spelled in lower case with hyphens. */
  public static <E extends Enum<E>> ConfigKey<E> ofChoice(
      String name, E def, Class<E> choices, Scope scope, String sentence) {
    List<E> all = List.of(choices.getEnumConstants());
    return of(
        name,
        spelled(def),
        all.stream().map(ConfigKey::spelled).collect(Collectors.joining(" | ")),
        scope,
        sentence,
        text ->
            all.stream()
                .filter(choice -> spelled(choice).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("It is none of these")));
  }

  /**
   * A list with commas between its elements.
   *
   * @param parser of one trimmed element that is not empty
   */
  public static <T> ConfigKey<List<T>> ofList(
      String name,
      String defaultText,
      String allowed,
      Scope scope,
      String sentence,
      Function<String, T> parser) {
    return of(
        name,
        defaultText,
        allowed,
        scope,
        sentence,
        text ->
            Arrays.stream(text.split(","))
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .map(parser)
                .toList());
  }

  /**
   * The value in force in {@code conf}; the default if there is none, or an empty text.
   *
   * @throws IllegalArgumentException if the configured text is not a value of this key; it names
   *     the key, the text, what is allowed and the default
   */
  public T get(Configuration conf) {
    String text = conf.getTrimmed(name, "");
    if (text.isEmpty()) {
      return defaultValue;
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name
              + " is '"
              + text
              + "', allowed: "
              + allowed
              + ". "
              + e.getMessage()
              + ". Correct or remove it; its default is '"
              + defaultText
              + "'.",
          e);
    }
  }

  public String name() {
    return name;
  }

  public T defaultValue() {
    return defaultValue;
  }

  /** The default as it is written in a configuration file. */
  public String defaultText() {
    return defaultText;
  }

  /** What is allowed, with the unit, for people. */
  public String allowed() {
    return allowed;
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

  private static <N> N number(String text, Function<String, N> parser) {
    try {
      return parser.apply(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("It is not such a number", e);
    }
  }

  private static void check(boolean allowed, String otherwise) {
    if (!allowed) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
