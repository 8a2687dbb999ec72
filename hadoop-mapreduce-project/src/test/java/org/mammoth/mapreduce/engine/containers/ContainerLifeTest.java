// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.state.InvalidStateTransitionException;
import org.junit.jupiter.api.Test;
import org.mammoth.mapreduce.engine.containers.ContainerLife.State;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.EndKind;

/** Every edge of a container's life, and that there are no others. */
class ContainerLifeTest {

  private static final Map<String, Consumer<ContainerLife>> EVENTS =
      Map.of(
          "START", ContainerLife::start,
          "STARTED", ContainerLife::started,
          "END", life -> life.end(EndKind.PROGRAM, 0, ""),
          "KILL", life -> life.kill(9),
          "REPORT", life -> life.report(0),
          "LINGER", ContainerLife::linger,
          "VANISH", ContainerLife::vanish);

  /** How a life gets into each state. */
  private static final Map<State, List<String>> WAYS =
      Map.of(
          State.ADMITTED, List.of(),
          State.STARTING, List.of("START"),
          State.RUNNING, List.of("START", "STARTED"),
          State.OVERTIME, List.of("START", "STARTED", "REPORT"),
          State.ENDING, List.of("START", "STARTED", "END"),
          State.REPORTED, List.of("END", "REPORT"),
          State.LINGERING, List.of("END", "REPORT", "LINGER"),
          State.GONE, List.of("END", "REPORT", "VANISH"));

  /** State, event, next state; what is not here cannot happen. */
  private static final String EDGES =
      """
      ADMITTED START STARTING
      ADMITTED END ENDING
      ADMITTED KILL ENDING
      STARTING STARTED RUNNING
      STARTING END ENDING
      STARTING KILL ENDING
      RUNNING END ENDING
      RUNNING KILL ENDING
      RUNNING REPORT OVERTIME
      OVERTIME END REPORTED
      OVERTIME KILL REPORTED
      OVERTIME REPORT OVERTIME
      ENDING START ENDING
      ENDING STARTED ENDING
      ENDING END ENDING
      ENDING KILL ENDING
      ENDING REPORT REPORTED
      REPORTED END REPORTED
      REPORTED KILL REPORTED
      REPORTED REPORT REPORTED
      REPORTED LINGER LINGERING
      REPORTED VANISH GONE
      LINGERING END LINGERING
      LINGERING KILL LINGERING
      LINGERING REPORT LINGERING
      LINGERING VANISH GONE
      GONE END GONE
      GONE KILL GONE
      GONE REPORT GONE
      """;

  private static ContainerLife in(State state) {
    ContainerLife life = new ContainerLife("container_1");
    WAYS.get(state).forEach(event -> EVENTS.get(event).accept(life));
    assertThat(life.state()).isEqualTo(state);
    return life;
  }

  @Test
  void everyEdgeLeadsWhereItIsDrawn() {
    for (State state : State.values()) {
      for (String event : EVENTS.keySet()) {
        String drawn =
            EDGES
                .lines()
                .filter(edge -> edge.startsWith(state + " " + event + " "))
                .findFirst()
                .orElse(null);
        ContainerLife life = in(state);
        if (drawn == null) {
          assertThatThrownBy(() -> EVENTS.get(event).accept(life))
              .as(state + " " + event)
              .isInstanceOf(InvalidStateTransitionException.class);
          assertThat(life.state()).isEqualTo(state);
        } else {
          EVENTS.get(event).accept(life);
          assertThat(state + " " + event + " " + life.state()).isEqualTo(drawn);
        }
      }
    }
  }

  @Test
  void theFirstWordOnTheEndCounts() {
    ContainerLife life = in(State.RUNNING);
    life.end(EndKind.NEEDS_PROCESS, -100, "needs a process: Locale.setDefault");
    life.end(EndKind.PROGRAM, 1, "later");
    assertThat(life.kill(9)).as("a signal to one that ends by itself").isFalse();
    assertThat(life.killed()).isFalse();
    assertThat(life.report(0))
        .isEqualTo(
            new ContainerExit(
                "container_1", EndKind.NEEDS_PROCESS, -100, "needs a process: Locale.setDefault"));
    assertThat(life.report(0)).as("told once").isNull();
  }

  @Test
  void oneThatIsKilledMayBeKilledHarder() {
    ContainerLife life = in(State.STARTING);
    assertThat(life.kill(15)).isTrue();
    assertThat(life.started()).as("the main thread may start").isFalse();
    assertThat(life.kill(9)).isTrue();
    life.end(EndKind.PROGRAM, 0, "its own end comes too late");
    assertThat(life.report(0).exitCode()).isEqualTo(137);
    assertThat(life.kill(9)).as("after the report").isTrue();
  }

  @Test
  void oneThatWasKilledBeforeItBeganDoesNotBegin() throws InterruptedException {
    ContainerLife life = in(State.ADMITTED);
    assertThat(life.kill(15)).isTrue();
    assertThat(life.start()).isFalse();
    life.awaitEnding();
    assertThat(life.report(0).exitCode()).isEqualTo(143);
  }

  @Test
  void anEarlyReportIsTheOnlyOne() throws InterruptedException {
    ContainerLife life = in(State.RUNNING);
    assertThat(life.report(0)).isEqualTo(new ContainerExit("container_1", 0, ""));
    assertThat(life.isEnding()).isFalse();
    life.end(EndKind.PROGRAM, 7, "");
    life.awaitEnding();
    assertThat(life.report(0)).isNull();
  }

  @Test
  void theEndOfOneThatWentOnTellsWhatItNeeded() {
    ContainerLife early = in(State.RUNNING);
    early.needs("needs a process: Locale.setDefault");
    early.needs("needs a process: another one");
    assertThat(early.report(0))
        .isEqualTo(
            new ContainerExit(
                "container_1", EndKind.PROGRAM_WITH_NEED, 0, "needs a process: Locale.setDefault"));
    ContainerLife failed = in(State.RUNNING);
    failed.needs("needs a process: Locale.setDefault");
    failed.end(EndKind.ABORTED, -100, "the engine failed it");
    assertThat(failed.report(0).kind()).isEqualTo(EndKind.ABORTED);
  }

  @Test
  void anEndOfItsOwnIsToldBesideWhatItNeeded() {
    ContainerLife life = in(State.RUNNING);
    life.needs("needs a process: Locale.setDefault");
    life.end(EndKind.PROGRAM, 1, "The main thread ended with an error\nat its end");
    ContainerExit exit = life.report(0);
    assertThat(exit.kind()).isEqualTo(EndKind.PROGRAM_WITH_NEED);
    assertThat(exit.exitCode()).isEqualTo(1);
    assertThat(exit.diagnostics())
        .startsWith("The main thread ended with an error\nat its end\n")
        .endsWith("needs a process: Locale.setDefault");
    assertThat(exit.need()).isEqualTo("needs a process: Locale.setDefault");
    ContainerLife well = in(State.RUNNING);
    well.needs("needs a process: Locale.setDefault");
    well.end(EndKind.PROGRAM, 0, "It ended");
    assertThat(well.report(0).diagnostics()).isEqualTo("needs a process: Locale.setDefault");
  }
}
