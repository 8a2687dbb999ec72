// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The reviewed file, applied to what the census has found. A line that names a member counts before
 * any rule; of rules the first counts, and {@code unreached} covers only what is not reached. Each
 * paragraph begins with a comment, which is the reason.
 */
final class Judgements {

  private static final int SHOWN = 20;

  private final List<String> lines;
  private final Reach reach;
  private final List<Judgement> rules = new ArrayList<>();
  private final Map<String, Judgement> named = new HashMap<>();
  private final Map<Judgement, List<Item>> covered = new LinkedHashMap<>();
  private final List<Item> unjudged = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /**
   * Applies the file.
   *
   * @param items what must be judged
   * @param reach tells what rules may say {@code unreached} of
   */
  Judgements(List<String> lines, List<Item> items, Reach reach) {
    this.lines = List.copyOf(lines);
    this.reach = reach;
    boolean hasReason = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).trim();
      String text = line.replaceFirst("#.*", "").trim();
      hasReason = !line.isEmpty() && (hasReason || line.contains("#"));
      if (!text.isEmpty()) {
        add(Judgement.read(i + 1, text), hasReason);
      }
    }
    items.forEach(this::judge);
    covered.forEach(this::check);
  }

  private void add(Judgement judgement, boolean hasReason) {
    if (!hasReason) {
      faults.add(judgement + " has no reason: begin its paragraph with a comment");
    }
    covered.put(judgement, new ArrayList<>());
    if (judgement.isRule()) {
      rules.add(judgement);
    }
    for (String id : judgement.ids()) {
      Judgement before = named.put(id, judgement);
      if (before != null) {
        faults.add(id + " is judged twice: " + before + ", " + judgement);
      }
    }
  }

  private void judge(Item item) {
    Judgement found = named.get(item.id());
    for (int i = 0; found == null && i < rules.size(); i++) {
      if (covers(rules.get(i), item)) {
        found = rules.get(i);
      }
    }
    if (found == null) {
      unjudged.add(item);
      return;
    }
    covered.get(found).add(item);
    if (found.word() == Word.UNREACHED && reach.contains(item.owner())) {
      faults.add(
          "%s is said to be unreached by %s, but is reached: %s"
              .formatted(item.id(), found, reach.way(item.owner())));
    }
  }

  /** Whether a rule covers an item; one of the unreached covers only what is so. */
  private boolean covers(Judgement rule, Item item) {
    return rule.covers(item) && !(rule.word() == Word.UNREACHED && reach.contains(item.owner()));
  }

  private void check(Judgement judgement, List<Item> items) {
    List<String> ids = items.stream().map(Item::id).sorted().toList();
    for (String id : judgement.ids()) {
      if (!ids.contains(id)) {
        faults.add(id + " needs no judgement, or is there no more: " + judgement);
      }
    }
    String today = Judgement.fingerprint(ids);
    if (judgement.isRule() && items.isEmpty()) {
      faults.add(judgement + " covers nothing: take it out");
    } else if (judgement.isRule() && !judgement.isForAny() && !today.equals(judgement.reviewed())) {
      faults.add(
          "%s was reviewed for %s and now covers %s. Look at what it covers:"
                  .formatted(judgement, judgement.reviewed(), today)
              + " dev-support/bin/census covered "
              + judgement.line()
              + "\n    "
              + String.join("\n    ", ids.subList(0, Math.min(SHOWN, ids.size())))
              + (ids.size() > SHOWN ? "\n    ..." : ""));
    }
  }

  /** What no line speaks of. */
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

  /** How many fields, or calls, of Hadoop and libraries each word is said of. */
  Map<Word, Integer> counts(boolean ofCalls) {
    Map<Word, Integer> counts = new TreeMap<>();
    covered.forEach(
        (judgement, items) ->
            items.stream()
                .filter(item -> item.kind() == Kind.CALL == ofCalls && !item.isOurs())
                .forEach(item -> counts.merge(judgement.word(), 1, Integer::sum)));
    return counts;
  }

  /** The file's lines with the counts and fingerprints of today. */
  List<String> updated() {
    List<String> updated = new ArrayList<>(lines);
    covered.forEach(
        (judgement, items) -> {
          if (judgement.isRule() && !judgement.isForAny()) {
            int index = judgement.line() - 1;
            String today = Judgement.fingerprint(items.stream().map(Item::id).toList());
            updated.set(
                index, lines.get(index).replaceFirst("=[^#]*?(\\s*(#.*)?)$", "= " + today + "$1"));
          }
        });
    return updated;
  }
}
