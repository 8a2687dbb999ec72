// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;
import org.mammoth.compat.neighbours.Street.Place;
import org.mammoth.compat.neighbours.Street.Started;

/**
 * Each hostile program alone: ordinary jobs before it, beside it and after it, in its engine and in
 * another user's, see what they see on stock, and so does the program itself.
 *
 * <p>{@code mammoth.compat.only} is a pattern of the programs' names; {@code mammoth.compat.fresh}
 * gives each of them an engine in which it is the first.
 */
@ExtendWith(SharedCluster.class)
@Tag("long")
class NeighboursIT {
  private static final String ONLY = System.getProperty("mammoth.compat.only", ".*");
  private static final boolean FRESH = Boolean.getBoolean("mammoth.compat.fresh");
  private static final String USER = "alice";
  private static final String OTHER = "bob";

  private final Verdicts verdicts = new Verdicts();

  @Test
  void eachAloneIsNoticedByNobody(MiniCluster cluster) throws Exception {
    Street street = new Street(cluster);
    List<Program> programs =
        Program.all().stream().filter(each -> each.name().matches(ONLY)).toList();
    Seen stock = street.witness(USER, Place.STOCK).seen();
    StockAnswers answers = StockAnswers.of(street, programs);
    Seen first = street.witness(USER, Place.ENGINE).seen();
    List<String> base = first.differences(stock);
    verdicts.add("witness", first.inEngines() ? "engine" : "process", base);
    for (Program program : programs) {
      boolean noticed = judge(street, program, stock, answers, base);
      if (noticed || FRESH) {
        // What one program has spoilt is not to be said of the next one.
        Engines.killAll();
      }
    }
    assertThat(verdicts.bad()).isEmpty();
  }

  /** True if a witness saw something. */
  private boolean judge(
      Street street, Program program, Seen stock, StockAnswers answers, List<String> base)
      throws Exception {
    Started started = street.hostile(program, USER, Place.ENGINE, "map", true).held();
    List<Started> beside =
        List.of(street.witness(USER, Place.ENGINE), street.witness(OTHER, Place.ENGINE));
    List<String> differences = new ArrayList<>();
    noticed("beside", beside.get(0).seen(), stock, base, differences);
    noticed("beside, other user", beside.get(1).seen(), stock, base, differences);
    started.letGo();
    Seen own = started.seen();
    noticed("after", street.witness(USER, Place.ENGINE).seen(), stock, base, differences);
    boolean noticed = !differences.isEmpty();
    if (program.ends()) {
      if (!own.lines().get("job").equals("failed")) {
        differences.add("itself: its job ended well, though its process ended: " + own.lines());
      }
    } else if (program.isPlain()) {
      String topic = StockAnswers.topic(program);
      String here = own.lines().getOrDefault(topic, "nothing, the job " + own.lines().get("job"));
      if (!here.equals(answers.of(program))) {
        differences.add("itself: " + here + " | stock: " + answers.of(program));
      }
      if (!own.lines().getOrDefault("words", "").equals(stock.lines().get("words"))) {
        differences.add("itself: other words: " + own.lines());
      }
    } else {
      Seen ownStock = street.hostile(program, USER, Place.STOCK, "map", false).seen();
      own.differences(ownStock).forEach(line -> differences.add("itself: " + line));
    }
    if (!own.inEngines() && !program.ends() && !program.mayNeedProcess()) {
      differences.add("itself: not in an engine: " + own.places());
    }
    verdicts.add(program.name(), own.inEngines() ? "engine" : "process", differences);
    return noticed;
  }

  private static void noticed(
      String when, Seen witness, Seen stock, List<String> base, List<String> differences) {
    for (String line : witness.differences(stock)) {
      if (!base.contains(line)) {
        differences.add(when + ": " + line);
      }
    }
  }
}
