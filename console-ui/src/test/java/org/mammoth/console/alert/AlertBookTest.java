// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The life of an alert, whatever its condition does. */
class AlertBookTest {

  private static final long FOR = 10_000;
  private static final long RESOLVE = 6_000;
  private static final AlertRule RULE =
      new AlertRule(
          "R", Severity.WARNING, "nodes", FOR, "", "Do it.", List.of("k"), (facts, found) -> {});
  private static final Finding FINDING = new Finding(Map.of("node", "n"), "s", "d.", 0);

  /** What is seen in one look, and how long after the one before. */
  record Look(long afterMs, String seen) {

    boolean holds() {
      return seen.equals("holds");
    }

    boolean unknown() {
      return seen.equals("unknown");
    }
  }

  @Provide
  Arbitrary<List<Look>> looks() {
    Arbitrary<Long> steps =
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(9, Arbitraries.just(1000L)),
            net.jqwik.api.Tuple.of(1, Arbitraries.longs().between(0, 100_000)));
    // Stretches of the same, else nothing would ever last.
    Arbitrary<String> seen = Arbitraries.of("holds", "clear", "unknown");
    return Combinators.combine(steps, seen, Arbitraries.integers().between(1, 14))
        .as(
            (step, what, times) -> {
              List<Look> run = new ArrayList<>();
              for (int i = 0; i < times; i++) {
                run.add(new Look(i == 0 ? step : 1000, what));
              }
              return run;
            })
        .list()
        .ofMaxSize(12)
        .map(runs -> runs.stream().flatMap(List::stream).toList());
  }

  private static List<Alert> look(AlertBook book, long nowMs, boolean holds, boolean unknown) {
    return book.judge(
        nowMs,
        List.of(new AlertBook.Look(RULE, holds ? List.of(FINDING) : List.of())),
        alert -> unknown);
  }

  /**
   * Against a model in the words of the documentation: it fires once its condition was seen to hold
   * for the time, unknown seconds aside; never again before it was resolved; and it is resolved
   * once its condition was seen to be gone for the time.
   */
  @Property(tries = 2000)
  void anAlertFiresAfterItsTimeOnceAndIsResolvedAfterItsTime(@ForAll("looks") List<Look> looks) {
    AlertBook book = new AlertBook(RESOLVE);
    long now = Scene.START;
    boolean first = true;
    boolean pending = false;
    boolean firing = false;
    long held = 0;
    long gone = 0;
    for (Look look : looks) {
      now += look.afterMs();
      long step = first ? 0 : Math.min(look.afterMs(), AlertBook.MAX_STEP_MS);
      first = false;
      List<Alert> changes = look(book, now, look.holds(), look.unknown());
      List<Alert.State> expected = new ArrayList<>();
      if (firing) {
        gone = look.holds() ? 0 : look.unknown() ? gone : gone + step;
        if (gone >= RESOLVE && !look.holds() && !look.unknown()) {
          expected.add(Alert.State.RESOLVED);
          firing = false;
        }
      } else if (look.holds()) {
        held = pending ? held + step : 0;
        pending = true;
        if (held >= FOR) {
          expected.add(Alert.State.FIRING);
          firing = true;
          pending = false;
          gone = 0;
        }
      } else if (!look.unknown()) {
        pending = false;
      }
      assertThat(changes).extracting(Alert::state).isEqualTo(expected);
      assertThat(book.firing()).hasSize(firing ? 1 : 0);
      assertThat(book.active()).hasSize(firing || pending ? 1 : 0);
    }
  }

  @Test
  void aSecondThatNobodySawCountsForNothing() {
    AlertBook book = new AlertBook(RESOLVE);
    look(book, Scene.START, true, false);
    // The host slept for an hour.
    assertThat(look(book, Scene.START + 3_600_000, true, false)).isEmpty();
    // A clock that went back.
    assertThat(look(book, Scene.START, true, false)).isEmpty();
    assertThat(book.active().get(0).state()).isEqualTo(Alert.State.PENDING);
  }

  @Test
  void whatHappensAtOneMomentHoldsForItsTimeAlsoWhenItIsNotSeenAgain() {
    AlertBook book = new AlertBook(0);
    AlertRule at =
        new AlertRule("R", Severity.INFO, "jobs", 0, "", "", List.of(), (facts, found) -> {});
    Finding finding = new Finding(Map.of(), "s", "d", Scene.START + 5_000);
    assertThat(
            book.judge(Scene.START, List.of(new AlertBook.Look(at, List.of(finding))), a -> false))
        .hasSize(1);
    assertThat(book.judge(Scene.START + 4_999, List.of(), alert -> false)).isEmpty();
    assertThat(book.judge(Scene.START + 5_000, List.of(), alert -> false))
        .extracting(Alert::state)
        .containsExactly(Alert.State.RESOLVED);
  }

  @Test
  void ofARuleAThousandAlertsAreKept() {
    AlertBook book = new AlertBook(0);
    List<Finding> many = new ArrayList<>();
    for (int i = 0; i < 1500; i++) {
      many.add(new Finding(Map.of("node", "n" + i), "s", "d", 0));
    }
    book.judge(Scene.START, List.of(new AlertBook.Look(RULE, many)), alert -> false);
    assertThat(book.active()).hasSize(AlertBook.MOST_OF_RULE);
  }

  @Test
  void thoseThatFireGoOnAlthoughOthersJoinBeforeThem() {
    AlertBook book = new AlertBook(0);
    List<Finding> many = new ArrayList<>();
    for (int i = 0; i < AlertBook.MOST_OF_RULE; i++) {
      many.add(new Finding(Map.of("node", "n" + i), "s", "d", 0));
    }
    book.judge(Scene.START, List.of(new AlertBook.Look(RULE, many)), alert -> false);
    List<Alert> before = book.active();
    many.add(0, new Finding(Map.of("node", "a"), "s", "d", 0));
    book.judge(Scene.START + 1000, List.of(new AlertBook.Look(RULE, many)), alert -> false);
    assertThat(book.active()).extracting(Alert::fingerprint).hasSameElementsAs(prints(before));
    assertThat(book.resolved()).isEmpty();
  }

  private static List<String> prints(List<Alert> alerts) {
    return alerts.stream().map(Alert::fingerprint).toList();
  }
}
