package org.mammoth.census;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The counts as docs/census.md shows them between its marks. */
final class Docs {

  private static final String BEGIN = "<!-- census: counts -->\n";
  private static final String END = "<!-- census: end -->\n";

  /** Jars of which the documentation shows each class: what tasks and jobs are made of. */
  private static final Set<String> BY_CLASS =
      Set.of(
          "hadoop-common",
          "hadoop-hdfs-client",
          "hadoop-mapreduce-client-app",
          "hadoop-mapreduce-client-common",
          "hadoop-mapreduce-client-core",
          "hadoop-mapreduce-client-jobclient");

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
    text.append(review.files().names().size()).append(" classes have ");
    text.append(review.findings().size()).append(" static fields.\n");
    categories(text);
    words(text);
    jars(text);
    classes(text);
    return text.append(END).toString();
  }

  private void categories(StringBuilder text) {
    Map<Category, Long> counts =
        review.findings().stream()
            .collect(Collectors.groupingBy(Finding::category, TreeMap::new, Collectors.counting()));
    text.append("\n| rule | fields | |\n|---|---|---|\n");
    counts.forEach(
        (category, count) ->
            row(text, category.word(), count, (category.isOpen() ? "open: " : "") + category.text()));
  }

  private void words(StringBuilder text) {
    text.append("\n| judgement | fields, initialisers | JDK methods | calls of them by shared classes | |\n");
    text.append("|---|---|---|---|---|\n");
    for (Judgement.Word word : Judgement.Word.values()) {
      row(
          text,
          word.word(),
          review.fields().counts().getOrDefault(word, 0),
          review.calls().counts().getOrDefault(word, 0),
          review.sites().counts().getOrDefault(word, 0),
          word.text());
    }
    text.append("\nOf the JDK's methods that change a JVM, ").append(review.rewritten());
    text.append(" are rewritten in jobs' classes.\n");
  }

  private void jars(StringBuilder text) {
    Map<String, Map<Judgement.Word, Integer>> counts = new TreeMap<>();
    review
        .fields()
        .covered()
        .forEach(
            (judgement, items) ->
                items.forEach(
                    item ->
                        counts
                            .computeIfAbsent(Item.jarName(item.jar()), j -> new TreeMap<>())
                            .merge(judgement.word(), 1, Integer::sum)));
    text.append("\n| jar | judged |\n|---|---|\n");
    counts.forEach((jar, words) -> row(text, jar, said(words)));
  }

  private void classes(StringBuilder text) {
    Map<String, Map<Judgement.Word, Set<String>>> byClass = new TreeMap<>();
    review
        .fields()
        .covered()
        .forEach(
            (judgement, items) ->
                items.stream()
                    .filter(item -> BY_CLASS.contains(Item.jarName(item.jar())))
                    .filter(item -> !judgement.word().equals(Judgement.Word.CONSTANT))
                    .forEach(
                        item ->
                            byClass
                                .computeIfAbsent(item.className(), c -> new TreeMap<>())
                                .computeIfAbsent(judgement.word(), w -> new TreeSet<>())
                                .add(item.name().replace("<clinit>", "its initialiser"))));
    text.append("\n| class | judged other than constant |\n|---|---|\n");
    byClass.forEach(
        (name, words) ->
            row(
                text,
                name.replace("org.apache.hadoop.", ""),
                words.entrySet().stream()
                    .map(e -> e.getKey().word() + ": " + String.join(", ", e.getValue()))
                    .collect(Collectors.joining("; "))));
  }

  private static String said(Map<Judgement.Word, Integer> words) {
    return words.entrySet().stream()
        .map(e -> e.getValue() + " " + e.getKey().word())
        .collect(Collectors.joining(", "));
  }

  private static void row(StringBuilder text, Object... cells) {
    text.append('|');
    for (Object cell : cells) {
      text.append(' ').append(cell).append(" |");
    }
    text.append('\n');
  }
}
