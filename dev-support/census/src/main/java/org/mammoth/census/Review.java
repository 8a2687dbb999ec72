package org.mammoth.census;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.mammoth.engine.statics.StaticsTable;

/** All the census finds in a release, beside the files in which people have judged it. */
final class Review {

  /** Judgements of static fields and initialisers. */
  static final String FIELDS = "judgements.txt";

  /** Judgements of the JDK's methods, for jobs' classes. */
  static final String CALLS = "calls.txt";

  /** Judgements of shared classes' calls of these methods. */
  static final String SITES = "call-sites.txt";

  private final ClassFiles files;
  private final List<Finding> findings;
  private final Judgements fields;
  private final Judgements calls;
  private final Judgements sites;
  private final int rewritten;
  private final List<String> faults = new ArrayList<>();

  Review(Path release, Path reviewed) throws IOException {
    files = ClassFiles.ofRelease(release);
    Hierarchy hierarchy = new Hierarchy(files);
    Uses uses = new Uses(files, hierarchy);
    StaticsTable table = StaticsTable.load();
    PerTask perTask = new PerTask(files, hierarchy, table);
    findings = new Rules(files, hierarchy, uses, perTask::has).findings();
    List<Item> open = new ArrayList<>();
    findings.stream().filter(Finding::isOpen).map(Finding::item).forEach(open::add);
    open.addAll(new Starts(hierarchy, table).in(files));
    fields = new Judgements(Files.readAllLines(reviewed.resolve(FIELDS)), open);
    Set<JdkMethod> setters = new JdkSetters().methods();
    Rewritten inJobs = Rewritten.inJobs(files);
    List<Item> notRewritten =
        setters.stream()
            .filter(m -> !inJobs.has(m.owner(), m.name(), m.descriptor()))
            .map(m -> new Item(m.owner(), m.name(), "jdk", "", m.isStatic() ? "static" : "object"))
            .distinct()
            .toList();
    rewritten =
        (int) setters.stream().filter(m -> inJobs.has(m.owner(), m.name(), m.descriptor())).count();
    calls = new Judgements(Files.readAllLines(reviewed.resolve(CALLS)), notRewritten);
    Set<String> ownObjects = calls.idsJudged(Judgement.Word.OWN_OBJECT);
    List<JdkMethod> changing = setters.stream().filter(m -> !ownObjects.contains(m.id())).toList();
    sites =
        new Judgements(
            Files.readAllLines(reviewed.resolve(SITES)),
            new CallSites(changing, Rewritten.inCallers(files), table).in(files));
    faults.addAll(perTask.faults(uses));
    checkDaemons(new Reach(files, Roots.of(files)));
    addFaults(FIELDS, fields);
    addFaults(CALLS, calls);
    addFaults(SITES, sites);
  }

  private void checkDaemons(Reach reach) {
    for (Judgements each : List.of(fields, sites)) {
      each.covered()
          .forEach(
              (judgement, items) -> {
                if (judgement.word() == Judgement.Word.DAEMON) {
                  items.stream()
                      .filter(item -> reach.contains(item.owner()))
                      .forEach(
                          item ->
                              faults.add(
                                  item.id()
                                      + " is said to be a daemon's by "
                                      + judgement
                                      + ", but tasks reach it: "
                                      + reach.way(item.owner())));
                }
              });
    }
  }

  private void addFaults(String file, Judgements judgements) {
    judgements.faults().forEach(fault -> faults.add(file + ": " + fault));
    judgements
        .unjudged()
        .forEach(
            item ->
                faults.add(
                    "not judged in "
                        + file
                        + ": "
                        + item.kind()
                        + " "
                        + item.id()
                        + " ("
                        + (item.type().isEmpty() ? "" : item.type() + ", ")
                        + item.jar()
                        + ")"));
  }

  ClassFiles files() {
    return files;
  }

  List<Finding> findings() {
    return findings;
  }

  Judgements fields() {
    return fields;
  }

  Judgements calls() {
    return calls;
  }

  Judgements sites() {
    return sites;
  }

  /** How many of the JDK's methods are rewritten in jobs' classes. */
  int rewritten() {
    return rewritten;
  }

  /** Why the build fails; empty if it does not. */
  List<String> faults() {
    return faults;
  }
}
