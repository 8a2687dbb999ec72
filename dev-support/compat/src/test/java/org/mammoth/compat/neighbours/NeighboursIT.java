package org.mammoth.compat.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;

/** Each hostile program alone, between two witnesses. */
@ExtendWith(SharedCluster.class)
@Tag("long")
class NeighboursIT {
  private static final Path VERDICTS =
      Path.of(System.getProperty("hadoop.log.dir"), "neighbours.txt");

  @Test
  void eachAlone(MiniCluster cluster) throws Exception {
    Street street = new Street(cluster);
    Seen stock = street.witness("root", false).seen();
    Seen first = street.witness("root", true).seen();
    tell("== witness on a fresh engine, against stock; in engines: " + first.inEngines());
    first.differences(stock).forEach(NeighboursIT::tell);
    List<Program> programs =
        Program.all().stream()
            .filter(each -> each.name().matches(System.getProperty("mammoth.compat.only", ".*")))
            .toList();
    List<String> bad = new ArrayList<>();
    Seen before = first;
    for (Program program : programs) {
      Seen own = street.hostile(program, "root", true, "map", false).seen();
      Seen after = street.witness("root", true).seen();
      List<String> differences = new ArrayList<>();
      if (!program.isPlain()) {
        Seen ownStock = street.hostile(program, "root", false, "map", false).seen();
        own.differences(ownStock).forEach(line -> differences.add("itself: " + line));
      } else {
        own.lines().forEach((topic, line) -> differences.add("own: " + topic + ": " + line));
      }
      after.differences(before).forEach(line -> differences.add("after: " + line));
      tell(
          (differences.isEmpty() ? "same    " : "DIFFERS ")
              + program.name()
              + (own.inEngines() ? " engine" : " process"));
      differences.forEach(line -> tell("    " + line));
      before = after;
    }
    assertThat(bad).isEmpty();
  }

  private static void tell(String line) {
    System.out.println(line);
    try {
      Files.writeString(
          VERDICTS, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
