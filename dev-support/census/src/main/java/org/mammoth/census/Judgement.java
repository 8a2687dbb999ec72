// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A line of the reviewed file: a word, and what it is said of. {@code WORD CLASS NAME...} names
 * fields, and calls such as {@code System.setProperty()}. {@code WORD CLASSES [in JAR] [of TYPE]
 * [kind KIND] = COUNT FINGERPRINT} is a rule, with the count and fingerprint of exactly what it
 * covered when it was reviewed, or {@code any} where that may change unseen. In a rule {@code **}
 * stands for anything, {@code *} for anything without a dot; several of these are parted by commas.
 */
final class Judgement {

  private static final int FINGERPRINT_BYTES = 4;
  private static final String ANY = "any";

  private final int line;
  private final Word word;
  private final String name;
  private final Set<String> members = new TreeSet<>();
  private Pattern classes;
  private Pattern jar;
  private Pattern type;
  private Pattern kind;
  private String reviewed;

  private Judgement(int line, Word word, String name) {
    this.line = line;
    this.word = word;
    this.name = name;
  }

  /** Reads a line without comment. */
  static Judgement read(int line, String text) {
    List<String> words = new ArrayList<>(List.of(text.trim().split("\\s+")));
    if (words.size() < 3) {
      throw new IllegalArgumentException("line " + line + " is no judgement: " + text);
    }
    Judgement judgement = new Judgement(line, Word.of(words.remove(0)), words.remove(0));
    int equals = words.indexOf("=");
    if (equals < 0) {
      judgement.members.addAll(words);
      return judgement;
    }
    judgement.classes = glob(judgement.name);
    judgement.reviewed = String.join(" ", words.subList(equals + 1, words.size()));
    for (int i = 0; i + 1 < equals; i += 2) {
      judgement.narrow(words.get(i), glob(words.get(i + 1)));
    }
    return judgement;
  }

  private void narrow(String by, Pattern to) {
    switch (by) {
      case "in" -> jar = to;
      case "of" -> type = to;
      case "kind" -> kind = to;
      default -> throw new IllegalArgumentException("line " + line + ": what is " + by + "?");
    }
  }

  private static Pattern glob(String text) {
    return Pattern.compile(
        text.replaceAll("[.$\\[\\]()]", "\\\\$0")
            .replace("**", "\0")
            .replace("*", "[^.]*")
            .replace("\0", ".*")
            .replace(",", "|"));
  }

  int line() {
    return line;
  }

  Word word() {
    return word;
  }

  /** Whether it is a rule, not a list of members. */
  boolean isRule() {
    return classes != null;
  }

  /** What it names, as {@code class.member}. */
  Collection<String> ids() {
    return members.stream().map(member -> name + '.' + member).toList();
  }

  /** Whether it is a rule that covers an item. */
  boolean covers(Item item) {
    return matches(classes, item.className())
        && matches(jar, item.jarName())
        && matches(type, item.type())
        && matches(kind, item.kind().word());
  }

  private static boolean matches(Pattern pattern, String text) {
    return pattern == null || pattern.matcher(text).matches();
  }

  /** Whether it is a rule that holds for whatever it comes to cover. */
  boolean isForAny() {
    return ANY.equals(reviewed);
  }

  /** What a rule covered when it was reviewed, as {@link #fingerprint} gives it. */
  String reviewed() {
    return reviewed;
  }

  /** How many members and which, in short. */
  static String fingerprint(Collection<String> ids) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new TreeSet<>(ids).forEach(id -> digest.update((id + "\n").getBytes(StandardCharsets.UTF_8)));
      String hex = HexFormat.of().formatHex(digest.digest(), 0, FINGERPRINT_BYTES);
      return ids.size() + " " + hex;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String toString() {
    return "line " + line + " (" + word.word() + " " + name + ")";
  }
}
