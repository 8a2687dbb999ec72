// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config.names;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Every key there is, of engine, SSD cache and console, as {@code mammoth-default.xml} has them. No
 * process has all of the declarations; each has this file, which is made of them.
 */
public final class KnownKeys {

  /** What all keys of ours begin with. */
  public static final String PREFIX = "mammoth.";

  private static final String FILE = "mammoth-default.xml";
  private static final Pattern PROPERTY =
      Pattern.compile("(?s)<name>([^<]+)</name>(.*?)</property>");
  private static final Pattern FORMER = Pattern.compile("<deprecated>([^<]+)</deprecated>");

  /** Nameservice and NameNode behind a name. */
  private static final String OF_NAMENODES = "<suffixes>nameservice.namenode</suffixes>";

  private static final Pattern SUFFIXES = Pattern.compile("\\.[^.]+(\\.[^.]+)?");

  private final String xml;

  /** What stands in the file after the name, by name. */
  private final Map<String, String> keys = new LinkedHashMap<>();

  /** Present names by former ones. */
  private final Map<String, String> renamed = new LinkedHashMap<>();

  /** Reads a file of defaults. */
  public KnownKeys(String xml) {
    this.xml = xml;
    Matcher property = PROPERTY.matcher(xml);
    while (property.find()) {
      keys.put(property.group(1), property.group(2));
      Matcher former = FORMER.matcher(property.group(2));
      while (former.find()) {
        renamed.put(former.group(1), property.group(1));
      }
    }
  }

  /** Those of this release. */
  public static KnownKeys ofRelease() {
    try (InputStream in = KnownKeys.class.getResourceAsStream(FILE)) {
      return new KnownKeys(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All of them with defaults and meanings, as a Hadoop configuration file. */
  public String xml() {
    return xml;
  }

  /** The same for people: name and default in a line, and what the key is for in the next. */
  public String text() {
    return keys.entrySet().stream()
        .map(
            key ->
                String.format(
                    "%s = %s%n    %s%n",
                    key.getKey(),
                    element("value", key.getValue()),
                    element("description", key.getValue())))
        .collect(Collectors.joining());
  }

  private static String element(String name, String of) {
    Matcher element = Pattern.compile("<" + name + ">([^<]*)</" + name + ">").matcher(of);
    String text = element.find() ? element.group(1) : "";
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
  }

  /** Whether a key has that name, or had it. */
  public boolean has(String name) {
    return keys.containsKey(name) || renamed.containsKey(name) || isOfNameNode(name);
  }

  private boolean isOfNameNode(String name) {
    return keys.entrySet().stream()
        .anyMatch(
            key ->
                name.startsWith(key.getKey())
                    && key.getValue().contains(OF_NAMENODES)
                    && SUFFIXES.matcher(name.substring(key.getKey().length())).matches());
  }

  /**
   * What is wrong with the name of a key that somebody has set.
   *
   * @return what the name is, to be said after it; empty if nothing is wrong, or it does not begin
   *     with {@link #PREFIX}
   */
  public Optional<String> complaint(String name) {
    if (renamed.containsKey(name)) {
      return Optional.of("is now called " + renamed.get(name));
    }
    if (!name.startsWith(PREFIX) || has(name)) {
      return Optional.empty();
    }
    return Optional.of("is no key of Mammoth's" + nearest(name));
  }

  private String nearest(String name) {
    return keys.keySet().stream()
        .filter(key -> distance(name, key) <= Math.max(2, name.length() / 4))
        .min(Comparator.comparingInt(key -> distance(name, key)))
        .map(key -> "; the nearest is " + key)
        .orElse("");
  }

  /** How many letters have to be put in, taken out or changed to make one of the other. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(diagonal, row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
