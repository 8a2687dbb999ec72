package org.mammoth.census;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Fails when there is shared state that nobody has judged; see docs/census.md. */
public final class Census {

  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private Census() {}

  /**
   * Runs it.
   *
   * @param args the release's share/hadoop, the folder of the reviewed files, docs/census.md, and
   *     what to do: check, list, update or covered FILE LINE
   */
  public static void main(String[] args) throws IOException {
    if (args.length < 4) {
      System.err.println("census: SHARE-HADOOP REVIEWED DOCS check|list|update|covered FILE LINE");
      System.exit(USAGE);
    }
    System.exit(run(args, System.out));
  }

  static int run(String[] args, PrintStream out) throws IOException {
    Path reviewed = Path.of(args[1]);
    Path docs = Path.of(args[2]);
    Review review = new Review(Path.of(args[0]), reviewed);
    switch (args[3]) {
      case "list" -> {
        list(review.fields(), out);
        list(review.calls(), out);
        list(review.sites(), out);
        return 0;
      }
      case "covered" -> {
        Judgements file =
            args[4].equals(Review.FIELDS)
                ? review.fields()
                : args[4].equals(Review.CALLS) ? review.calls() : review.sites();
        covered(file, Integer.parseInt(args[5]), out);
        return 0;
      }
      case "update" -> {
        Files.write(reviewed.resolve(Review.FIELDS), review.fields().updated());
        Files.write(reviewed.resolve(Review.CALLS), review.calls().updated());
        Files.write(reviewed.resolve(Review.SITES), review.sites().updated());
        Review updated = new Review(Path.of(args[0]), reviewed);
        new Docs(updated).write(docs);
        return report(updated.faults(), out);
      }
      default -> {
        List<String> faults = review.faults();
        if (!new Docs(review).isIn(docs)) {
          faults.add(docs.getFileName() + " has old counts; run dev-support/bin/census --update");
        }
        return report(faults, out);
      }
    }
  }

  private static int report(List<String> faults, PrintStream out) {
    faults.forEach(fault -> out.println("census: " + fault));
    if (!faults.isEmpty()) {
      out.println(
          "census: "
              + faults.size()
              + " faults. What is not judged needs a line in dev-support/census/review, or a field"
              + " of each task's own in task-statics.txt; docs/census.md tells how.");
    }
    return faults.isEmpty() ? 0 : FAILED;
  }

  private static void list(Judgements judgements, PrintStream out) {
    for (Item item : judgements.unjudged()) {
      out.println(item.kind() + "\t" + item.jar() + "\t" + item.id() + "\t" + item.type());
    }
  }

  private static void covered(Judgements judgements, int line, PrintStream out) {
    judgements
        .covered()
        .forEach(
            (judgement, items) -> {
              if (judgement.line() == line) {
                items.forEach(
                    item ->
                        out.println(
                            item.kind() + "\t" + item.jar() + "\t" + item.id() + "\t" + item.type()));
              }
            });
  }
}
