// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Groups what is said of nodes and jobs by what it is, whatever numbers and names of disks or files
 * are in it, and keeps whom each group is about. One thread.
 */
final class AttentionGroups {

  /** Rank of a severity, first to last. */
  private static final List<String> RANKS = List.of("master", "bad", "warn");

  private final Map<String, Group> groups = new LinkedHashMap<>();

  private static final class Group {
    private final String severity;
    private final String page;
    private final Set<String> subjects = new LinkedHashSet<>();
    private String text;
    private long times;
    private boolean atLeast;

    Group(String severity, String page, String text) {
      this.severity = severity;
      this.page = page;
      this.text = text;
    }
  }

  /** The same of one more node. */
  void add(String severity, String node, String page, String text) {
    add(severity, node, page, text, "", false);
  }

  /**
   * The same of one more subject.
   *
   * @param apart keeps apart what is said in the same words: whose job it is
   * @param atLeast whether it may be so oftener at this subject than it is said
   */
  void add(
      String severity, String subject, String page, String text, String apart, boolean atLeast) {
    Group group =
        groups.computeIfAbsent(
            String.join(" ", severity, page, pattern(text), apart),
            key -> new Group(severity, page, text));
    group.subjects.add(subject);
    group.times++;
    group.atLeast |= atLeast;
    if (!group.text.equals(text)) {
      // What differs is left out of what is said of all.
      group.text = pattern(text);
    }
  }

  /** A text without its numbers: of times, processes, directories. */
  private static String pattern(String text) {
    return text.replaceAll("\\d+", "…");
  }

  /** All groups, the worst and the largest first. */
  List<Attention> sorted() {
    List<Map.Entry<String, Group>> sorted = new ArrayList<>(groups.entrySet());
    sorted.sort(
        Comparator.comparing((Map.Entry<String, Group> e) -> RANKS.indexOf(e.getValue().severity))
            .thenComparing(e -> -e.getValue().subjects.size())
            .thenComparing(e -> e.getValue().subjects.iterator().next()));
    return sorted.stream().map(e -> attention(e.getKey(), e.getValue())).toList();
  }

  private static Attention attention(String key, Group group) {
    return new Attention(
        cause(key),
        group.severity.equals("master") ? "bad" : group.severity,
        group.subjects.iterator().next(),
        group.page,
        group.text,
        group.subjects.size(),
        group.times,
        group.atLeast);
  }

  private static String cause(String key) {
    return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** Whom each group is about, by its cause. */
  Map<String, List<String>> subjects() {
    Map<String, List<String>> subjects = new LinkedHashMap<>();
    groups.forEach((key, group) -> subjects.put(cause(key), List.copyOf(group.subjects)));
    return subjects;
  }
}
