// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    /** Read once by a service that a cluster has one or two of. */
    SERVICE,
    /** Read per job; the node's value is the default. */
    JOB
  }

  /** What a key is about beside the part of Mammoth that its name says; words of Hadoop's own. */
  public enum Tag {
    PERFORMANCE,
    SECURITY,
    DEBUG
  }

  /**
   * What few keys have.
   *
   * @param daemon which takes the key up at run time; none if empty
   * @param formerNames by which the key is found as well
   * @param isOfNameNodes whether nameservice and NameNode may follow the name, each after a dot
   */
  private record Traits(
      Set<Tag> tags, String daemon, List<String> formerNames, boolean isOfNameNodes) {
    static final Traits NONE = new Traits(Set.of(), "", List.of(), false);
  }

  private final String name;
  private final String defaultText;
  private final String allowed;
  private final Scope scope;
  private final String sentence;
  private final Function<String, T> parser;
  private final T defaultValue;
  private final Traits traits;

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
    this.traits = Traits.NONE;
  }

  private ConfigKey(ConfigKey<T> like, Traits traits) {
    this.name = like.name;
    this.defaultText = like.defaultText;
    this.allowed = like.allowed;
    this.scope = like.scope;
    this.sentence = like.sentence;
    this.parser = like.parser;
    this.defaultValue = like.defaultValue;
    this.traits = traits;
  }

  /** The same key with tags. */
  public ConfigKey<T> tagged(Tag... tags) {
    return new ConfigKey<>(
        this, new Traits(Set.of(tags), traits.daemon, traits.formerNames, traits.isOfNameNodes));
  }

  /** The same key, which a daemon such as {@code DataNode} takes up at run time as well. */
  public ConfigKey<T> changeableIn(String daemon) {
    return new ConfigKey<>(
        this, new Traits(traits.tags, daemon, traits.formerNames, traits.isOfNameNodes));
  }

  /** The same key, which had other names in earlier releases and is still found by them. */
  public ConfigKey<T> formerly(String... names) {
    return new ConfigKey<>(
        this, new Traits(traits.tags, traits.daemon, List.of(names), traits.isOfNameNodes));
  }

  /** The same key, whose name nameservice and NameNode may follow, each after a dot. */
  public ConfigKey<T> ofNameNodes() {
    return new ConfigKey<>(this, new Traits(traits.tags, traits.daemon, traits.formerNames, true));
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
   * A list with commas or line ends between its elements, as Hadoop has them.
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
            Arrays.stream(text.split("[,\n]"))
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .map(parser)
                .toList());
  }

  /**
   * The value in force in {@code conf}; the default if there is none, or an empty text.
   *
   * @throws IllegalArgumentException if the configured text is not a value of this key; it names
   *     the key, the text, the file it stands in, what is allowed and the default
   */
  public T get(Configuration conf) {
    return first(conf, Stream.concat(Stream.of(name), traits.formerNames.stream()));
  }

  /**
   * The value for one NameNode: of the name with nameservice and NameNode, of that with the
   * nameservice, or of the plain one.
   *
   * @param service null or empty if there is none; {@code nameNode} as well
   */
  public T get(Configuration conf, String service, String nameNode) {
    String ofService = hasText(service) ? name + "." + service : name;
    String ofNode = hasText(service) && hasText(nameNode) ? ofService + "." + nameNode : ofService;
    return first(conf, Stream.of(ofNode, ofService, name));
  }

  /**
   * What to throw if a text parses, and is wrong by what the key's declaration cannot know.
   *
   * @param why says so, without a full stop
   */
  public IllegalArgumentException refusal(Configuration conf, String why, Throwable cause) {
    return refusal(conf, name, why, cause);
  }

  private T first(Configuration conf, Stream<String> names) {
    return names
        .filter(each -> !conf.getTrimmed(each, "").isEmpty())
        .findFirst()
        .map(each -> parsed(conf, each))
        .orElse(defaultValue);
  }

  private T parsed(Configuration conf, String as) {
    try {
      return parser.apply(conf.getTrimmed(as));
    } catch (IllegalArgumentException e) {
      throw refusal(conf, as, e.getMessage(), e);
    }
  }

  private IllegalArgumentException refusal(
      Configuration conf, String as, String why, Throwable cause) {
    return new IllegalArgumentException(
        as
            + " is '"
            + conf.getTrimmed(as, defaultText)
            + "'"
            + origin(conf, as)
            + ", allowed: "
            + allowed
            + ". "
            + why
            + ". Correct or remove it; its default is '"
            + defaultText
            + "'.",
        cause);
  }

  /**
   * Where a text came from first, as a job's own file repeats what stands in those of its client;
   * empty if a program has set it.
   */
  static String origin(Configuration conf, String name) {
    String[] sources = conf.getPropertySources(name);
    return sources == null || sources.length == 0 || sources[0].equals("programmatically")
        ? ""
        : " in " + sources[0];
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

  public Set<Tag> tags() {
    return traits.tags;
  }

  /** Which daemon takes the key up at run time; empty if it is read at a start only. */
  public String changeableIn() {
    return traits.daemon;
  }

  public List<String> formerNames() {
    return traits.formerNames;
  }

  /** Whether nameservice and NameNode may follow the name, each after a dot. */
  public boolean isOfNameNodes() {
    return traits.isOfNameNodes;
  }

  /** The name, for texts that speak of the key. */
  @Override
  public String toString() {
    return name;
  }

  private static boolean hasText(String text) {
    return text != null && !text.isEmpty();
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
