// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.mammoth.engine.isolation.JdkProperties;

/** Fails when there is shared state that nobody has judged; see docs/census.md. */
public final class Census {

  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private Census() {}

  /**
   * Runs it.
   *
   * @param args the release's share/hadoop, the folder of the reviewed files, docs/census.md, and
   *     what to do: check, list, all, update, covered and a line's number, or versions and files
   *     with the class paths of other versions of Hadoop
   */
  public static void main(String[] args) throws IOException {
    if (args.length < 4) {
      System.err.println(
          "census: SHARE-HADOOP REVIEWED DOCS check|list|all|update|covered LINE|versions FILE...");
      System.exit(USAGE);
    }
    System.exit(run(args, System.out));
  }

  static int run(String[] args, PrintStream out) throws IOException {
    ClassFiles files = ClassFiles.ofRelease(Path.of(args[0]));
    Path reviewed = Path.of(args[1]);
    Path docs = Path.of(args[2]);
    CompletableFuture<List<String>> links = new CompletableFuture<>();
    if (args[3].equals("check")) {
      List<Path> jars = ClassFiles.jarsOf(Path.of(args[0]));
      links.completeAsync(() -> Links.faults(jars, files));
    }
    Review review = new Review(files, reviewed);
    switch (args[3]) {
      case "list" -> review.judgements().unjudged().forEach(item -> out.println(item.line()));
      case "properties" -> ReadOnce.names(files).forEach(out::println);
      case "all" -> review.items().forEach(item -> out.println(item.line()));
      case "covered" ->
          review
              .judgements()
              .covered()
              .forEach(
                  (judgement, items) -> {
                    if (judgement.line() == Integer.parseInt(args[4])) {
                      items.forEach(item -> out.println(item.line()));
                    }
                  });
      case "versions" -> {
        List<String> faults = new ArrayList<>();
        for (String file : List.of(args).subList(4, args.length)) {
          OtherVersion version = new OtherVersion(Path.of(file), Path.of(args[0]), reviewed);
          version.faults(review).forEach(fault -> faults.add(file + ": " + fault));
        }
        return report(faults, out);
      }
      case "update" -> {
        Files.write(reviewed.resolve(Review.JUDGEMENTS), review.judgements().updated());
        Review updated = new Review(files, reviewed);
        new Docs(updated).write(docs);
        return report(updated.faults(), out);
      }
      case "check" -> {
        List<String> faults = new ArrayList<>(review.faults());
        if (!new Docs(review).isIn(docs)) {
          faults.add(docs.getFileName() + " has old counts; run dev-support/bin/census update");
        }
        faults.addAll(links.join());
        faults.addAll(unlisted(Path.of(args[0])));
        faults.addAll(unknownProperties(files));
        return report(faults, out);
      }
      default -> throw new IllegalArgumentException("census: what is " + args[3] + "?");
    }
    return 0;
  }

  /** The release's own jars that each task would load for itself, for want of a line. */
  private static List<String> unlisted(Path shareHadoop) throws IOException {
    List<Path> shared = ClassFiles.jarsOf(shareHadoop);
    return ClassFiles.allJarsOf(shareHadoop).stream()
        .filter(jar -> !shared.contains(jar) && !jar.toString().endsWith("-tests.jar"))
        .map(jar -> jar.getFileName() + " is not in shared-jars.txt: is it to be shared by tasks?")
        .toList();
  }

  private static List<String> unknownProperties(ClassFiles files) {
    Set<String> found = ReadOnce.names(files);
    Set<String> listed = JdkProperties.readOnce();
    return found.equals(listed)
        ? List.of()
        : List.of(
            "library-properties.txt is not what classes read as they are initialised: replace it by"
                + " what dev-support/bin/census properties prints; new: "
                + minus(found, listed)
                + ", gone: "
                + minus(listed, found));
  }

  private static Set<String> minus(Set<String> some, Set<String> others) {
    Set<String> left = new TreeSet<>(some);
    left.removeAll(others);
    return left;
  }

  private static int report(List<String> faults, PrintStream out) {
    faults.forEach(fault -> out.println("census: " + fault));
    if (!faults.isEmpty()) {
      out.println(
          "census: %d faults. What is not judged needs a line in dev-support/census/review/%s,"
                  .formatted(faults.size(), Review.JUDGEMENTS)
              + " or a field of each task's own in task-statics.txt; docs/census.md tells how.");
    }
    return faults.isEmpty() ? 0 : FAILED;
  }
}
