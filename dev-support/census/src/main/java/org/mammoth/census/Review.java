// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.engine.statics.StaticsRewriter;
import org.mammoth.engine.statics.StaticsTable;

/** All the census finds in a release, beside the file in which people have judged it. */
final class Review {

  /** The file of judgements. */
  static final String JUDGEMENTS = "judgements.txt";

  /** The file of the JDK's methods that change the JVM. */
  static final String METHODS = "jdk-methods.txt";

  private final ClassFiles files;
  private final List<Item> items;
  private final Judgements judgements;
  private final List<String> unrewritten;
  private final List<String> faults = new ArrayList<>();

  /**
   * Takes the census.
   *
   * @param files the classes that the engine's loader has
   * @param reviewed the folder with the two files
   */
  Review(ClassFiles files, Path reviewed) throws IOException {
    this.files = files;
    StaticsTable table = StaticsTable.load();
    StaticsRewriter rewriter = new StaticsRewriter(table, files.loader());
    Hierarchy hierarchy = new Hierarchy(files);
    Uses uses = new Uses(files, hierarchy);
    PerTask perTask = new PerTask(files, hierarchy, table);
    items = new ArrayList<>(new Rules(files, hierarchy, uses, perTask::has).fields());
    items.addAll(new JdkCalls(Files.readAllLines(reviewed.resolve(METHODS)), rewriter).in(files));
    items.addAll(new Presence(files, table).items());
    Reach reach = new Reach(files);
    judgements =
        new Judgements(
            Files.readAllLines(reviewed.resolve(JUDGEMENTS)),
            items.stream().filter(item -> item.kind().isOpen()).toList(),
            reach);
    unrewritten = perTask.faults(uses, rewriter, reach);
    faults.addAll(unrewritten);
    faults.addAll(judgements.faults());
    judgements
        .unjudged()
        .forEach(
            item ->
                faults.add(
                    "nobody has judged %s, %s%s, of %s"
                        .formatted(
                            item.id(),
                            item.type().isEmpty() ? "" : "a " + item.type() + ": ",
                            item.kind().text(),
                            item.jar())));
  }

  ClassFiles files() {
    return files;
  }

  /** All static fields, and all calls that change the JVM. */
  List<Item> items() {
    return items;
  }

  Judgements judgements() {
    return judgements;
  }

  /** Uses of the tasks' own fields that all tasks would share, and fields of nothing. */
  List<String> unrewritten() {
    return unrewritten;
  }

  /** Why the build fails; empty if it does not. */
  List<String> faults() {
    return faults;
  }
}
