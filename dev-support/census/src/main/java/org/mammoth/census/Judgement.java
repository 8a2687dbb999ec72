package org.mammoth.census;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A line of the reviewed file: a word, and the fields it is said of. One form names them, {@code
 * WORD CLASS FIELD...}; the other has a pattern for class names, narrowed by jar, type or kind, and
 * the count and fingerprint of exactly what it covered when it was reviewed: {@code WORD PATTERN
 * [in JAR] [of TYPE] [kind KIND] = COUNT FINGERPRINT}. In patterns {@code **} stands for anything,
 * {@code *} for anything without a dot.
 */
final class Judgement {

  /** What may be said of a field. */
  enum Word {
    CONSTANT("nothing that changes it is reached, or nobody changes it"),
    IMMUTABLE_CACHE("a cache of facts that are the same for all jobs"),
    SHARED_ON_PURPOSE("shared so that all may profit; what each sees is what it would see alone"),
    DAEMON("of code that neither a task nor an ApplicationMaster reaches"),
    ENGINE("the engine's own"),
    OWN_OBJECT("of the JDK: it changes an object that the caller has made for itself"),
    RESET("put back at a stated moment"),
    NEEDS_PROCESS("who changes it gets a process of its own"),
    GAP("known to be seen by other jobs, and not mended");

    private final String text;

    Word(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Word of(String word) {
      for (Word each : values()) {
        if (each.word().equals(word)) {
          return each;
        }
      }
      throw new IllegalArgumentException("no word of judgement: " + word);
    }
  }

  private static final int FINGERPRINT_BYTES = 4;

  private final int line;
  private final Word word;
  private final String name;
  private final Set<String> fields = new TreeSet<>();
  private Pattern classes;
  private Pattern jar;
  private String type;
  private String kind;
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
      judgement.fields.addAll(words);
      return judgement;
    }
    judgement.classes = glob(judgement.name);
    judgement.reviewed = String.join(" ", words.subList(equals + 1, words.size()));
    for (int i = 0; i < equals; i += 2) {
      judgement.narrow(words.get(i), words.get(i + 1));
    }
    return judgement;
  }

  private void narrow(String by, String to) {
    switch (by) {
      case "in" -> jar = glob(to);
      case "of" -> type = to;
      case "kind" -> kind = to;
      default -> throw new IllegalArgumentException("line " + line + ": what is " + by + "?");
    }
  }

  private static Pattern glob(String text) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("**", i)) {
        regex.append(".*");
        i++;
      } else if (text.charAt(i) == '*') {
        regex.append("[^.]*");
      } else {
        regex.append(Pattern.quote(text.substring(i, i + 1)));
      }
    }
    return Pattern.compile(regex.toString());
  }

  int line() {
    return line;
  }

  Word word() {
    return word;
  }

  /** Whether it names its fields one by one. */
  boolean isExact() {
    return classes == null;
  }

  String name() {
    return name;
  }

  /** The fields it names, as {@code class.field}. */
  Collection<String> names() {
    return fields.stream().map(field -> name + '.' + field).toList();
  }

  /** Whether its pattern covers a field. */
  boolean covers(Item item) {
    return classes.matcher(item.className()).matches()
        && (jar == null || jar.matcher(Item.jarName(item.jar())).matches())
        && (type == null || type.equals(item.type()))
        && (kind == null || kind.equals(item.kind()));
  }

  /** What was covered when the line was reviewed, as {@link #fingerprint} gives it. */
  String reviewed() {
    return reviewed;
  }

  /** How many fields and which, in short. */
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
