// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mammoth.engine.isolation.loading.SharedJars;
import org.mammoth.engine.statics.StaticsTable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/**
 * The census of another version of Hadoop that engines may run on: what its classes share and the
 * release's do not must be judged as well.
 */
final class OtherVersion {

  /** The file of judgements of what the release does not have. */
  static final String JUDGEMENTS = "versions.txt";

  /** The file of jars that need not be shared. */
  private static final String UNSHARED = "unshared-jars.txt";

  private static final Set<Kind> CHANGING =
      EnumSet.of(Kind.CHANGED, Kind.WRITTEN, Kind.ASSIGNABLE, Kind.CALL);

  private static final String OURS = "mammoth";
  private static final String OPTIONAL = "?";

  private final List<Path> jars;
  private final ClassFiles files;

  /** Of the jars that tasks load for themselves. */
  private final ClassFiles others;

  private final Path reviewed;
  private final List<String> lacking;

  /**
   * Reads it.
   *
   * @param classPath a file with a NodeManager's, without our jars
   * @param shareHadoop the release's, which has our jars
   * @param reviewed the folder of the reviewed files
   */
  OtherVersion(Path classPath, Path shareHadoop, Path reviewed) throws IOException {
    SharedJars shared = SharedJars.with(List.of());
    Path ours = shareHadoop.resolve(OURS);
    String[] files = Files.readString(classPath).trim().split(File.pathSeparator);
    List<Path> theirs = Arrays.stream(files).map(Path::of).toList();
    Stream<Path> own =
        ClassFiles.allJarsOf(shareHadoop).stream().filter(jar -> jar.startsWith(ours));
    this.jars =
        Stream.concat(theirs.stream(), own).filter(jar -> shared.has(jar.toString())).toList();
    this.files = ClassFiles.ofJars(jars);
    this.others =
        ClassFiles.ofJars(theirs.stream().filter(jar -> !shared.has(jar.toString())).toList());
    this.reviewed = reviewed;
    this.lacking = lacking(StaticsTable.load());
  }

  /** Fields that each task is to have for itself, and that these classes lack. */
  private List<String> lacking(StaticsTable table) {
    List<String> found = new ArrayList<>();
    for (String name : table.holderNames()) {
      byte[] code = files.code(name);
      if (code != null) {
        ClassNode type = new ClassNode();
        new ClassReader(code).accept(type, ClassReader.SKIP_CODE);
        Set<String> fields =
            type.fields.stream()
                .filter(field -> (field.access & Opcodes.ACC_STATIC) != 0)
                .map(field -> field.name)
                .collect(Collectors.toSet());
        table.requiredFields(name).stream()
            .filter(field -> !fields.contains(field))
            .forEach(field -> found.add(name.replace('/', '.') + ' ' + field));
      }
    }
    return found;
  }

  /**
   * What would be shared without a judgement, or would end an engine.
   *
   * @param release the review of the release, whose items are judged
   */
  List<String> faults(Review release) throws IOException {
    if (!lacking.isEmpty()) {
      return lacking.stream()
          .map(field -> field + " is not there: mark it with " + OPTIONAL + " in task-statics.txt")
          .toList();
    }
    Review review = new Review(files, reviewed);
    Set<String> known =
        release.items().stream()
            .filter(item -> item.kind().isOpen())
            .map(OtherVersion::asFound)
            .collect(Collectors.toSet());
    // Rules were reviewed for what they cover in the release. What code changes is looked at anew.
    Set<Item> byRule = new HashSet<>();
    review.judgements().covered().forEach((rule, items) -> byRule.addAll(accepted(rule, items)));
    List<Item> added =
        review.items().stream()
            .filter(item -> item.kind().isOpen() && !known.contains(asFound(item)))
            .filter(item -> !byRule.contains(item))
            .toList();
    Judgements judged =
        new Judgements(Files.readAllLines(reviewed.resolve(JUDGEMENTS)), added, new Reach(files));
    Set<String> faults = new LinkedHashSet<>(Links.faults(jars, files));
    review.unrewritten().stream()
        .filter(fault -> !fault.contains("is in no jar"))
        .forEach(faults::add);
    judged.unjudged().forEach(item -> faults.add("nobody has judged " + item.line()));
    faults.addAll(Unshared.faults(files, others, Files.readAllLines(reviewed.resolve(UNSHARED))));
    return List.copyOf(faults);
  }

  /** A member, and what the rules find it to be: a container that code changes is another thing. */
  private static String asFound(Item item) {
    return item.id() + ' ' + item.kind();
  }

  /** Of what a rule covers here, what needs no look. */
  private static List<Item> accepted(Judgement rule, List<Item> items) {
    return rule.word() == Word.UNREACHED
        ? items
        : items.stream().filter(item -> !CHANGING.contains(item.kind())).toList();
  }
}
