// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The counts as docs/census.md shows them between its marks. */
final class Docs {

  private static final String BEGIN = "<!-- census: counts -->\n";
  private static final String END = "<!-- census: end -->\n";

  private final Review review;

  Docs(Review review) {
    this.review = review;
  }

  boolean isIn(Path file) throws IOException {
    return Files.exists(file) && Files.readString(file).contains(text());
  }

  /** Replaces what is between the marks. */
  void write(Path file) throws IOException {
    String old = Files.readString(file);
    int begin = old.indexOf(BEGIN);
    int end = old.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IOException(file + " has no marks for the counts");
    }
    Files.writeString(file, old.substring(0, begin) + text() + old.substring(end + END.length()));
  }

  private String text() {
    StringBuilder text = new StringBuilder(BEGIN);
    Map<Kind, Long> kinds =
        review.items().stream()
            .filter(item -> !item.isOurs())
            .collect(Collectors.groupingBy(Item::kind, TreeMap::new, Collectors.counting()));
    long fields =
        kinds.entrySet().stream()
            .filter(of -> of.getKey().isOfField())
            .mapToLong(Map.Entry::getValue)
            .sum();
    long classes = review.files().names().stream().filter(name -> !Item.isOurs(name)).count();
    text.append(
        "%d classes of Hadoop and its libraries have %d static fields.\n"
            .formatted(classes, fields));
    text.append("\n| kind | count | | judged |\n|---|---|---|---|\n");
    kinds.forEach((kind, n) -> row(text, kind.word(), n, kind.text(), kind.isOpen() ? "yes" : ""));
    text.append("\n| judgement | fields | calls | |\n|---|---|---|---|\n");
    Map<Word, Integer> ofFields = review.judgements().counts(false);
    Map<Word, Integer> ofCalls = review.judgements().counts(true);
    for (Word word : Word.values()) {
      int calls = ofCalls.getOrDefault(word, 0);
      row(text, word.word(), ofFields.getOrDefault(word, 0), calls, word.text());
    }
    row(text, "per-task", kinds.getOrDefault(Kind.PER_TASK, 0L), "", Kind.PER_TASK.text());
    return text.append(END).toString();
  }

  private static void row(StringBuilder text, Object... cells) {
    text.append('|');
    for (Object cell : cells) {
      text.append(cell.toString().isEmpty() ? " |" : " " + cell + " |");
    }
    text.append('\n');
  }
}
