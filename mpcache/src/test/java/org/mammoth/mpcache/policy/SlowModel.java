// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mammoth.mpcache.policy.Decision.Outcome;
import org.mammoth.mpcache.policy.MpCachePolicy.VictimDistance;

/**
 * The oracle: the scheme of the mpCache paper (Wang et al. 2016, §3.3), LRU and LFU written down
 * the slow way. Lists only; distances are counted in the history of all accesses, victims found by
 * sorting everything.
 */
final class SlowModel {

  static final class Copy {
    final String set;
    final long block;
    final long bytes;
    final int node;
    long lastUse;
    long uses;

    Copy(String set, long block, long bytes, int node) {
      this.set = set;
      this.block = block;
      this.bytes = bytes;
      this.node = node;
    }
  }

  record Answer(Outcome outcome, Admission reason, List<Long> evict) {}

  private final String policy;
  private final double bonusValue;
  private final VictimDistance victimDistance;
  private final List<String> history = new ArrayList<>();
  private final List<String> firstSeen = new ArrayList<>();
  private final List<Copy> copies = new ArrayList<>();
  private final Map<String, Integer> sizeBlocks = new HashMap<>();
  private final Map<String, Long> sizeBytes = new HashMap<>();
  private final Map<String, Boolean> pinned = new HashMap<>();
  private final Map<String, Admission> admission = new HashMap<>();
  private final Map<String, Long> blockReads = new HashMap<>();
  private final Map<String, Double> priority = new HashMap<>();
  private final Map<String, Double> bonus = new HashMap<>();
  private final Map<String, Double> spent = new HashMap<>();
  private final Map<Integer, Long> capacity = new HashMap<>();
  private final Map<Integer, Map<Long, Long>> toDel = new HashMap<>();
  private double clock;
  private long time;

  SlowModel(String policy, double bonusValue, VictimDistance victimDistance) {
    this.policy = policy;
    this.bonusValue = bonusValue;
    this.victimDistance = victimDistance;
  }

  void capacity(int node, long bytes) {
    capacity.put(node, bytes);
  }

  Answer access(Access read) {
    String set = read.dataSet().path();
    boolean begins = read.begins() || !history.contains(set);
    if (begins) {
      history.add(set);
    }
    see(set, read.setBlocks(), read.setBytes());
    pinned.put(set, read.pinned());
    if (begins) {
      admission.put(set, admit(set));
    }
    Admission said = admission.get(set);
    Copy copy = find(read.blockId(), read.node());
    if (copy != null) {
      blockReads.merge(copy.set, 1L, Long::sum);
      touch(copy);
      return new Answer(Outcome.HIT, said, List.of());
    }
    if (toDel(read.node()).containsKey(read.blockId())) {
      if (!said.admits()) {
        return new Answer(Outcome.HIT_MARKED, said, List.of());
      }
      toDel(read.node()).remove(read.blockId());
      add(set, read.blockId(), read.bytes(), read.node());
      return new Answer(Outcome.HIT, said, List.of());
    }
    if (!said.admits()) {
      return new Answer(Outcome.PASS, said, List.of());
    }
    List<Long> evict = new ArrayList<>();
    if (free(read.node()) < read.bytes()) {
      evict.addAll(toDel(read.node()).keySet());
      toDel(read.node()).clear();
      long needed = read.bytes() - free(read.node());
      if (needed > 0) {
        List<Copy> victims = victims(set, read.node(), needed);
        if (victims.isEmpty()) {
          return new Answer(Outcome.PASS, Admission.NO_ROOM, evict);
        }
        displace(victims, read.node(), evict);
      }
    }
    add(set, read.blockId(), read.bytes(), read.node());
    return new Answer(Outcome.STORE, said, evict);
  }

  List<Long> shrink(int node, long bytes) {
    List<Long> evict = new ArrayList<>(toDel(node).keySet());
    long gained = toDel(node).values().stream().mapToLong(Long::longValue).sum();
    toDel(node).clear();
    if (bytes > gained) {
      displace(victims(null, node, bytes - gained), node, evict);
    }
    return evict;
  }

  void restore(String set, int blocks, long setBytes, long block, long bytes, int node) {
    if (find(block, node) == null && !toDel(node).containsKey(block)) {
      see(set, blocks, setBytes);
      add(set, block, bytes, node);
    }
  }

  void removed(long block, int node) {
    toDel(node).remove(block);
    Copy copy = find(block, node);
    if (copy != null) {
      drop(copy);
    }
  }

  private void see(String set, int blocks, long bytes) {
    if (!firstSeen.contains(set)) {
      firstSeen.add(set);
    }
    sizeBlocks.put(set, blocks);
    sizeBytes.put(set, bytes);
  }

  private long missing(String set) {
    long missing = sizeBytes.get(set);
    for (long block : blocksOf(set)) {
      missing -= of(set).stream().filter(copy -> copy.block == block).findFirst().get().bytes;
    }
    return Math.max(0, missing);
  }

  private long totalFree() {
    long given = capacity.values().stream().mapToLong(Long::longValue).sum();
    return given - copies.stream().mapToLong(copy -> copy.bytes).sum();
  }

  private boolean stays(String victim, String newcomer) {
    return victim.equals(newcomer) || isPinned(victim);
  }

  private Admission admit(String set) {
    if (!policy.equals("mpcache")) {
      return Admission.ALWAYS;
    }
    boolean pin = isPinned(set);
    spent.put(set, 0.0);
    long missing = missing(set);
    long freed = totalFree();
    if (missing <= freed) {
      return pin ? Admission.PINNED : Admission.FITS;
    }
    if (accesses(set) < 2 && !pin) {
      return Admission.NOT_RECORDED;
    }
    double sum = 0;
    for (String victim : ranked()) {
      if (!stays(victim, set)) {
        sum += 1 / (sizeBlocks.get(victim) * victimDistance(victim));
        if (!pin && 1 / (sizeBlocks.get(set) * distance(set)) <= sum) {
          return Admission.NOT_PROFITABLE;
        }
        freed += of(victim).stream().mapToLong(copy -> copy.bytes).sum();
        if (missing <= freed) {
          return pin ? Admission.PINNED : Admission.PROFITABLE;
        }
      }
    }
    return Admission.TOO_LARGE;
  }

  private List<Copy> victims(String set, int node, long bytes) {
    if (!policy.equals("mpcache")) {
      return blockVictims(set, node, bytes);
    }
    boolean unasked = set == null || isPinned(set);
    if (!unasked && accesses(set) < 2) {
      return List.of();
    }
    double sum = set == null ? 0 : spent.getOrDefault(set, 0.0);
    long freed = 0;
    List<String> chosen = new ArrayList<>();
    for (String victim : ranked()) {
      long there =
          of(victim).stream().filter(copy -> copy.node == node).mapToLong(copy -> copy.bytes).sum();
      if (freed >= bytes || there == 0 || stays(victim, set)) {
        continue;
      }
      sum += 1 / (sizeBlocks.get(victim) * victimDistance(victim));
      if (!unasked && 1 / (sizeBlocks.get(set) * distance(set)) <= sum) {
        return List.of();
      }
      chosen.add(victim);
      freed += there;
    }
    if (set != null && freed < bytes) {
      return List.of();
    }
    if (set != null) {
      spent.put(set, sum);
    }
    List<Copy> all = new ArrayList<>();
    for (String victim : chosen) {
      clock = Math.max(clock, priority.get(victim));
      all.addAll(of(victim));
    }
    return all;
  }

  private List<Copy> blockVictims(String set, int node, long bytes) {
    Comparator<Copy> order = Comparator.comparingLong(copy -> copy.lastUse);
    if (policy.startsWith("lfu")) {
      order = Comparator.comparingLong((Copy copy) -> copy.uses).thenComparing(order);
    }
    List<Copy> chosen = new ArrayList<>();
    long freed = 0;
    for (Copy copy : copies.stream().sorted(order).toList()) {
      if (freed < bytes && copy.node == node && !isPinned(copy.set)) {
        chosen.add(copy);
        freed += copy.bytes;
      }
    }
    return set != null && freed < bytes ? List.of() : chosen;
  }

  private void displace(List<Copy> victims, int here, List<Long> evict) {
    for (Copy victim : victims) {
      drop(victim);
      if (victim.node == here) {
        evict.add(victim.block);
      } else {
        toDel(victim.node).put(victim.block, victim.bytes);
      }
    }
  }

  private void add(String set, long block, long bytes, int node) {
    Copy copy = new Copy(set, block, bytes, node);
    copies.add(copy);
    blockReads.merge(set, 1L, Long::sum);
    copy.uses = policy.equals("lfu-history") ? Math.max(1, accesses(set)) - 1 : 0;
    touch(copy);
  }

  private void touch(Copy copy) {
    copy.uses++;
    copy.lastUse = time++;
    bonus.put(copy.set, complete(copy.set) ? bonusValue : 0);
    priority.put(
        copy.set,
        bonus.get(copy.set) + clock + (double) blockReads.get(copy.set) / sizeBlocks.get(copy.set));
  }

  private void drop(Copy copy) {
    copies.remove(copy);
    if (of(copy.set).isEmpty()) {
      blockReads.remove(copy.set);
      priority.remove(copy.set);
    } else if (bonus.get(copy.set) > 0 && !complete(copy.set)) {
      priority.merge(copy.set, -bonus.get(copy.set), Double::sum);
      bonus.put(copy.set, 0.0);
    }
  }

  private List<String> ranked() {
    List<String> sets = new ArrayList<>(priority.keySet());
    sets.sort(
        Comparator.comparingDouble((String s) -> priority.get(s))
            .thenComparing(firstSeen::indexOf));
    return sets;
  }

  private double distance(String set) {
    int last = history.lastIndexOf(set);
    int before = last < 0 ? -1 : history.subList(0, last).lastIndexOf(set);
    return last < 0 ? 0 : Math.max(0.01, before < 0 ? last : last - before - 1);
  }

  private double victimDistance(String set) {
    int last = history.lastIndexOf(set);
    // A set that was never read since it was restored counts as last read at the very beginning.
    double since = history.size() - Math.max(0, last) - 1;
    return victimDistance == VictimDistance.AGED ? Math.max(distance(set), since) : distance(set);
  }

  private long accesses(String set) {
    return history.stream().filter(set::equals).count();
  }

  private boolean isPinned(String set) {
    return pinned.getOrDefault(set, false);
  }

  private boolean complete(String set) {
    return blocksOf(set).size() >= sizeBlocks.get(set);
  }

  private List<Long> blocksOf(String set) {
    return of(set).stream().map(copy -> copy.block).distinct().toList();
  }

  private List<Copy> of(String set) {
    return copies.stream().filter(copy -> copy.set.equals(set)).toList();
  }

  private Copy find(long block, int node) {
    return copies.stream().filter(c -> c.block == block && c.node == node).findFirst().orElse(null);
  }

  private long free(int node) {
    long used =
        copies.stream().filter(copy -> copy.node == node).mapToLong(copy -> copy.bytes).sum();
    long marked = toDel(node).values().stream().mapToLong(Long::longValue).sum();
    return capacity.getOrDefault(node, 0L) - used - marked;
  }

  private Map<Long, Long> toDel(int node) {
    return toDel.computeIfAbsent(node, n -> new TreeMap<>());
  }

  int copyCount() {
    return copies.size();
  }
}
