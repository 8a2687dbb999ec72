package org.mammoth.census;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts, and fails for what is not judged. */
public final class Census {
  private Census() {}

  /** Runs it. */
  public static void main(String[] args) throws IOException {
    ClassFiles files = ClassFiles.ofRelease(Path.of(args[0]));
    Hierarchy hierarchy = new Hierarchy(files);
    Uses uses = new Uses(files, hierarchy);
    java.util.Set<String> own = org.mammoth.engine.statics.StaticsTable.load().fields();
    Rules rules = new Rules(files, hierarchy, uses, f -> own.contains(f.owner() + "." + f.name()));
    List<Finding> all = rules.findings();
    Map<Category, Long> counts =
        all.stream().collect(Collectors.groupingBy(Finding::category, TreeMap::new, Collectors.counting()));
    System.err.println(files.names().size() + " classes, " + all.size() + " fields " + counts);
    for (Finding f : all) {
      if (f.isOpen()) System.out.println(f.category().word() + "\t" + f.jar() + "\t" + f.id() + "\t" + f.field().descriptor());
    }
  }
}
