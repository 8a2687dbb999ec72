// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which static fields of shared classes each process has for itself, and which classes must be
 * rewritten for it. Names are internal ones, with slashes. Immutable.
 *
 * <p>Each line of the file is a word and what it is about; {@code #} begins a comment:
 *
 * <ul>
 *   <li>{@code copy|deep|empty|zero|init CLASS FIELD...}: the process's own fields, and what they
 *       start with; {@code FIELD?} is one that some of the Hadoop versions have not that engines
 *       run on. A class that lacks any other cannot be made safe
 *   <li>{@code announce CLASS METHOD...}: static methods that shared classes call as they are
 *       initialised, to make themselves known to all processes
 *   <li>{@code own CLASS FIELD...}: instance fields of which the objects of a class have one value
 *       for each process that has changed it, for registries whose objects all share
 *   <li>{@code heir CLASS SUBCLASS...}: subclasses whose code uses such fields
 *   <li>{@code detach CLASS METHOD...}: methods of such objects that change what a field refers to
 *   <li>{@code referrer CLASS...}: other classes that use such fields; {@code CLASS?} is one that
 *       some versions have not
 *   <li>{@code restorer CLASS...}: classes that put back what they change of the JVM before any
 *       other code can see it; their calls stay as they are
 *   <li>{@code logging CLASS...}: classes that set up {@code java.util.logging} for their caller,
 *       and keep none of its loggers: what they set up is the running task's
 *   <li>{@code remember CLASS MISSED...}: classes that remember for all whether others are there; a
 *       task that comes to them and brings what the engine lacks needs a process; {@code CLASS?} as
 *       above
 *   <li>{@code process CLASS METHOD...}: methods that change for all what no process can have for
 *       itself; a task that comes to one needs a process
 *   <li>{@code stand CLASS METHOD...}: methods that change what the other threads of a process go
 *       on with; a thread that has asked for the process's end stands still there
 * </ul>
 */
public final class StaticsTable {

  private static final String FILE = "task-statics.txt";
  private static final String OF_SOME_VERSIONS = "?";

  /** A class some of whose static fields each process has for itself. */
  static final class Holder {
    private final String name;
    private final int id;
    private final Map<String, Slot> slots = new LinkedHashMap<>();

    private Holder(String name, int id) {
      this.name = name;
      this.id = id;
    }

    String name() {
      return name;
    }

    /** Counted from 0 in the order of the file. */
    int id() {
      return id;
    }

    /** By field, in the order of their indexes. */
    Map<String, Slot> slots() {
      return slots;
    }
  }

  /**
   * A field's place among those of its class.
   *
   * @param ofSomeVersions whether the class may lack it
   */
  record Slot(int index, SlotStart start, boolean ofSomeVersions) {}

  private final Map<String, Holder> holders = new LinkedHashMap<>();
  private final Set<String> slotNames = new HashSet<>();
  private final Map<String, Set<String>> announced = new HashMap<>();
  private final Map<String, List<String>> own = new HashMap<>();
  private final Map<String, Set<String>> detached = new HashMap<>();
  private final Map<String, String> heirs = new HashMap<>();
  private final Set<String> referrers = new HashSet<>();

  /** Classes beside the holders that some versions have not. */
  private final Set<String> ofSomeVersions = new HashSet<>();

  private final Set<String> restorers = new HashSet<>();
  private final Set<String> logging = new HashSet<>();
  private final Map<String, Set<String>> missed = new HashMap<>();
  private final Map<String, Set<String>> ofProcesses = new HashMap<>();
  private final Map<String, Set<String>> standing = new HashMap<>();

  private StaticsTable(List<String> lines) {
    for (String line : lines) {
      String[] words = line.replaceFirst("#.*", "").trim().split("\\s+");
      if (!words[0].isEmpty()) {
        read(words);
      }
    }
  }

  /** The table of this release. */
  public static StaticsTable load() {
    try (InputStream in = StaticsTable.class.getResourceAsStream(FILE);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return new StaticsTable(reader.lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(FILE + " cannot be read", e);
    }
  }

  /** A table of these lines. */
  static StaticsTable of(String... lines) {
    return new StaticsTable(List.of(lines));
  }

  private void read(String[] words) {
    List<String> names = new ArrayList<>(List.of(words));
    String what = names.remove(0);
    names.replaceAll(name -> name.replace('.', '/'));
    switch (what) {
      case "announce":
        announced
            .computeIfAbsent(names.get(0), c -> new HashSet<>())
            .addAll(names.subList(1, names.size()));
        break;
      case "own":
        own.computeIfAbsent(names.get(0), c -> new ArrayList<>())
            .addAll(names.subList(1, names.size()));
        break;
      case "heir":
        names.subList(1, names.size()).forEach(heir -> heirs.put(heir, names.get(0)));
        break;
      case "detach":
        detached
            .computeIfAbsent(names.get(0), c -> new HashSet<>())
            .addAll(names.subList(1, names.size()));
        break;
      case "referrer":
        names.forEach(name -> referrers.add(known(name)));
        break;
      case "restorer":
        restorers.addAll(names);
        break;
      case "logging":
        logging.addAll(names);
        break;
      case "remember":
        missed
            .computeIfAbsent(known(names.get(0)), c -> new TreeSet<>())
            .addAll(names.subList(1, names.size()));
        break;
      case "process":
        ofProcesses
            .computeIfAbsent(names.get(0), c -> new HashSet<>())
            .addAll(names.subList(1, names.size()));
        break;
      case "stand":
        standing
            .computeIfAbsent(names.get(0), c -> new HashSet<>())
            .addAll(names.subList(1, names.size()));
        break;
      default:
        isolate(SlotStart.of(what), names.get(0), names.subList(1, names.size()));
    }
  }

  /** A class's name without the sign that some versions have no such class. */
  private String known(String word) {
    if (!word.endsWith(OF_SOME_VERSIONS)) {
      return word;
    }
    String name = word.substring(0, word.length() - 1);
    ofSomeVersions.add(name);
    return name;
  }

  private void isolate(SlotStart start, String name, List<String> fields) {
    Holder holder = holders.computeIfAbsent(name, n -> new Holder(n, holders.size()));
    for (String word : fields) {
      boolean ofSomeVersions = word.endsWith(OF_SOME_VERSIONS);
      String field = ofSomeVersions ? word.substring(0, word.length() - 1) : word;
      Slot before = holder.slots.put(field, new Slot(holder.slots.size(), start, ofSomeVersions));
      slotNames.add(field);
      if (before != null) {
        throw new IllegalArgumentException(name + "." + field + " is listed twice");
      }
    }
  }

  /** The classes with fields of processes, by id. */
  List<Holder> holders() {
    return List.copyOf(holders.values());
  }

  /** What is known of a class that has such fields, or null. */
  Holder holder(String name) {
    return holders.get(name);
  }

  /** The place of a field, or null if all share it. */
  Slot slot(String owner, String field) {
    Holder holder = holders.get(owner);
    return holder == null ? null : holder.slots.get(field);
  }

  /** Whether any class has a field of processes by this name. */
  boolean hasFieldNamed(String field) {
    return slotNames.contains(field);
  }

  /** Whether a static method makes shared classes known to all processes. */
  boolean isAnnounced(String owner, String method) {
    return announced.getOrDefault(owner, Set.of()).contains(method);
  }

  /** The instance fields of a class that processes may have values of their own for. */
  List<String> ownFields(String type) {
    return own.getOrDefault(type, List.of());
  }

  /**
   * The class that declares such a field, or null if it is none.
   *
   * @param type by which code names it: the class, or a subclass that is listed as inheriting it
   */
  String ownerOf(String type, String field) {
    String declaring = heirs.getOrDefault(type, type);
    return ownFields(declaring).contains(field) ? declaring : null;
  }

  /** Whether a method changes what a field of its object refers to. */
  boolean detaches(String type, String method) {
    return detached.getOrDefault(type, Set.of()).contains(method);
  }

  /** Whether what a class changes of the JVM is put back before others see it. */
  boolean restores(String type) {
    return restorers.contains(type);
  }

  /** Whether a class sets up its caller's {@code java.util.logging}. */
  boolean setsUpLogging(String type) {
    return logging.contains(type);
  }

  /** The classes of which a class remembers whether they are there. */
  public Set<String> missedBy(String type) {
    return missed.getOrDefault(type, Set.of());
  }

  /** Whether a task that comes to a method needs a process. */
  boolean needsProcess(String owner, String method) {
    return ofProcesses.getOrDefault(owner, Set.of()).contains(method);
  }

  /** Whether a thread that has asked for its process's end gets no further than to a method. */
  boolean standsAt(String owner, String method) {
    return standing.getOrDefault(owner, Set.of()).contains(method);
  }

  /** Whether a class must be rewritten. */
  public boolean concerns(String name) {
    return holders.containsKey(name)
        || announced.containsKey(name)
        || own.containsKey(name)
        || heirs.containsKey(name)
        || missed.containsKey(name)
        || ofProcesses.containsKey(name)
        || standing.containsKey(name)
        || referrers.contains(name);
  }

  /** Whether a class stands in one with such fields, so that it may use private ones itself. */
  boolean isWithinHolder(String name) {
    for (int at = name.indexOf('$', 1); at > 0; at = name.indexOf('$', at + 1)) {
      String enclosing = name.substring(0, at);
      if (holders.containsKey(enclosing) || own.containsKey(enclosing)) {
        return true;
      }
    }
    return false;
  }

  /** Names of the classes with fields of processes, by id. */
  public List<String> holderNames() {
    return List.copyOf(holders.keySet());
  }

  /** Of a class with fields of processes, those that it has in each version of Hadoop. */
  public Set<String> requiredFields(String holder) {
    Set<String> fields = new TreeSet<>();
    holders
        .get(holder)
        .slots
        .forEach(
            (field, slot) -> {
              if (!slot.ofSomeVersions()) {
                fields.add(field);
              }
            });
    return fields;
  }

  /** Whether some of the Hadoop versions that engines run on have no such class. */
  public boolean isOfSomeVersions(String name) {
    return ofSomeVersions.contains(name)
        || holders.containsKey(name) && requiredFields(name).isEmpty();
  }

  /** All classes that must be rewritten. */
  public Set<String> classes() {
    Set<String> all = new TreeSet<>(holders.keySet());
    all.addAll(announced.keySet());
    all.addAll(own.keySet());
    all.addAll(heirs.keySet());
    all.addAll(missed.keySet());
    all.addAll(ofProcesses.keySet());
    all.addAll(standing.keySet());
    all.addAll(logging);
    all.addAll(referrers);
    return all;
  }

  /** Fields that each process has for itself, as {@code class.field} with slashes. */
  public Set<String> fields() {
    Set<String> fields = new HashSet<>();
    holders.forEach(
        (name, holder) -> holder.slots.keySet().forEach(f -> fields.add(name + "." + f)));
    return fields;
  }
}
