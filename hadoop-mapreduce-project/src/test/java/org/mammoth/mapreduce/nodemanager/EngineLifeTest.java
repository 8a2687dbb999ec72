// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.state.InvalidStateTransitionException;
import org.junit.jupiter.api.Test;
import org.mammoth.mapreduce.nodemanager.EngineLife.Event;
import org.mammoth.mapreduce.nodemanager.EngineLife.State;

/** Every edge of an engine's life, and that there are no others. */
class EngineLifeTest {

  /** How a life gets into each state. */
  private static final Map<State, List<Event>> WAYS =
      Map.of(
          State.STARTING, List.of(),
          State.OPEN, List.of(Event.CONNECT),
          State.DRAINING, List.of(Event.CONNECT, Event.DRAIN),
          State.SILENT, List.of(Event.CONNECT, Event.SILENCE),
          State.DEAD, List.of(Event.EXIT),
          State.DETACHED, List.of(Event.DETACH));

  /** State, event, next state; what is not here cannot happen. */
  private static final String EDGES =
      """
      STARTING CONNECT OPEN
      STARTING DRAIN DRAINING
      STARTING EXIT DEAD
      STARTING DETACH DETACHED
      OPEN DRAIN DRAINING
      OPEN SILENCE SILENT
      OPEN ANSWER OPEN
      OPEN EXIT DEAD
      OPEN DETACH DETACHED
      DRAINING CONNECT DRAINING
      DRAINING DRAIN DRAINING
      DRAINING ANSWER DRAINING
      DRAINING SILENCE SILENT
      DRAINING EXIT DEAD
      DRAINING DETACH DETACHED
      SILENT ANSWER OPEN
      SILENT SILENCE SILENT
      SILENT DRAIN SILENT
      SILENT EXIT DEAD
      SILENT DETACH DETACHED
      DEAD CONNECT DEAD
      DEAD DRAIN DEAD
      DEAD SILENCE DEAD
      DEAD ANSWER DEAD
      DEAD EXIT DEAD
      DEAD DETACH DEAD
      DETACHED CONNECT DETACHED
      DETACHED DRAIN DETACHED
      DETACHED SILENCE DETACHED
      DETACHED ANSWER DETACHED
      DETACHED EXIT DETACHED
      DETACHED DETACH DETACHED
      """;

  private static void happen(EngineLife life, Event event) {
    if (event == Event.DRAIN) {
      life.drain("as told");
    } else {
      life.happened(event);
    }
  }

  private static EngineLife in(State state) {
    EngineLife life = new EngineLife();
    WAYS.get(state).forEach(event -> happen(life, event));
    assertThat(life.state()).isEqualTo(state);
    return life;
  }

  @Test
  void everyEdgeLeadsWhereItIsDrawn() {
    for (State state : State.values()) {
      for (Event event : Event.values()) {
        String drawn =
            EDGES
                .lines()
                .filter(edge -> edge.startsWith(state + " " + event + " "))
                .findFirst()
                .orElse(null);
        EngineLife life = in(state);
        if (drawn == null) {
          assertThatThrownBy(() -> happen(life, event))
              .as(state + " " + event)
              .isInstanceOf(InvalidStateTransitionException.class);
        } else {
          happen(life, event);
          assertThat(state + " " + event + " " + life.state()).isEqualTo(drawn);
        }
      }
    }
  }

  @Test
  void oneThatWasToldToDrainWhileItWasSilentDrainsWhenItAnswers() {
    EngineLife life = in(State.SILENT);
    life.drain("idle");
    life.drain("later");
    assertThat(life.happened(Event.ANSWER)).isEqualTo(State.DRAINING);
    assertThat(life.drainReason()).isEqualTo("idle");
    life.happened(Event.SILENCE);
    assertThat(life.happened(Event.ANSWER)).isEqualTo(State.DRAINING);
  }
}
