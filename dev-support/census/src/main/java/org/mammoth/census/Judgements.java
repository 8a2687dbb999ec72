package org.mammoth.census;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The reviewed file of judgements. A line that names a field counts before any pattern; of patterns
 * the first counts.
 */
final class Judgements {

  private final List<String> lines;
  private final List<Judgement> patterns = new ArrayList<>();
  private final Map<String, Judgement> exact = new HashMap<>();
  private final Map<Judgement, List<Item>> covered = new LinkedHashMap<>();
  private final List<Item> unjudged = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  Judgements(List<String> lines, List<Item> items) {
    this.lines = List.copyOf(lines);
    for (int i = 0; i < lines.size(); i++) {
      String text = lines.get(i).replaceFirst("#.*", "").trim();
      if (!text.isEmpty()) {
        add(Judgement.read(i + 1, text));
      }
    }
    items.forEach(this::judge);
    check();
  }

  private void add(Judgement judgement) {
    covered.put(judgement, new ArrayList<>());
    if (!judgement.isExact()) {
      patterns.add(judgement);
      return;
    }
    for (String name : judgement.names()) {
      Judgement before = exact.put(name, judgement);
      if (before != null) {
        faults.add(name + " is judged twice: " + before + ", " + judgement);
      }
    }
  }

  private void judge(Item item) {
    Judgement found = exact.get(item.id());
    for (int i = 0; found == null && i < patterns.size(); i++) {
      if (patterns.get(i).covers(item)) {
        found = patterns.get(i);
      }
    }
    if (found == null) {
      unjudged.add(item);
    } else {
      covered.get(found).add(item);
    }
  }

  private void check() {
    covered.forEach(
        (judgement, items) -> {
          List<String> ids = items.stream().map(Item::id).toList();
          if (judgement.isExact()) {
            judgement.names().stream()
                .filter(name -> !ids.contains(name))
                .forEach(
                    name ->
                        faults.add(
                            name + " needs no judgement, or is no field any more: " + judgement));
          } else if (!Judgement.fingerprint(ids).equals(judgement.reviewed())) {
            faults.add(
                judgement
                    + " was reviewed for '"
                    + judgement.reviewed()
                    + "' and now covers '"
                    + Judgement.fingerprint(ids)
                    + "'. Look at what it covers (dev-support/bin/census --covered "
                    + judgement.line()
                    + "); if the reason holds for all of it, dev-support/bin/census --update:\n    "
                    + String.join("\n    ", ids.size() > 40 ? ids.subList(0, 40) : ids)
                    + (ids.size() > 40 ? "\n    ..." : ""));
          }
        });
  }

  /** Open fields of which no line speaks. */
  List<Item> unjudged() {
    return unjudged;
  }

  /** What is wrong with the file, but for what it lacks. */
  List<String> faults() {
    return faults;
  }

  /** What each line covers, in the order of the file. */
  Map<Judgement, List<Item>> covered() {
    return covered;
  }

  /** What a word is said of. */
  Set<String> idsJudged(Judgement.Word word) {
    Set<String> ids = new TreeSet<>();
    covered.forEach(
        (judgement, items) -> {
          if (judgement.word() == word) {
            items.forEach(item -> ids.add(item.id()));
          }
        });
    return ids;
  }

  /** How many fields each word is said of. */
  Map<Judgement.Word, Integer> counts() {
    Map<Judgement.Word, Integer> counts = new TreeMap<>();
    covered.forEach((judgement, of) -> counts.merge(judgement.word(), of.size(), Integer::sum));
    return counts;
  }

  /** The file's lines with the counts and fingerprints of today. */
  List<String> updated() {
    List<String> updated = new ArrayList<>(lines);
    covered.forEach(
        (judgement, items) -> {
          if (!judgement.isExact()) {
            int index = judgement.line() - 1;
            String today = Judgement.fingerprint(items.stream().map(Item::id).toList());
            updated.set(
                index, updated.get(index).replaceFirst("=\\s*[^#]*", "= " + today + " ").trim());
          }
        });
    return updated;
  }
}
