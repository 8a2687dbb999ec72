// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.yarn.state.MultipleArcTransition;
import org.apache.hadoop.yarn.state.StateMachine;
import org.apache.hadoop.yarn.state.StateMachineFactory;

/**
 * The life of one engine process as its NodeManager sees it. docs/lifecycle.md draws it. Knows
 * neither processes nor clocks, never blocks; the engine's handle guards it with its lock.
 */
final class EngineLife {

  /** Where an engine is in its life. */
  enum State {
    /** Its process is being made, or does not listen yet. */
    STARTING,
    /** Takes containers. */
    OPEN,
    /** Takes no more containers, and ends when those it has have ended. */
    DRAINING,
    /** Does not answer, for too short a time yet to be given up; takes no containers meanwhile. */
    SILENT,
    /** Its process is gone, or never was. */
    DEAD,
    /** Left to another NodeManager. */
    DETACHED
  }

  /** What can happen to it. */
  enum Event {
    CONNECT,
    DRAIN,
    SILENCE,
    ANSWER,
    EXIT,
    DETACH
  }

  private static final Set<State> ANSWERING = EnumSet.of(State.OPEN, State.DRAINING);

  /** Back to what it was before it fell silent, or was told meanwhile. */
  private static final class Answering implements MultipleArcTransition<EngineLife, String, State> {
    @Override
    public State transition(EngineLife life, String nothing) {
      return life.drainReason.isEmpty() ? State.OPEN : State.DRAINING;
    }
  }

  private static final StateMachineFactory<EngineLife, State, Event, String> MACHINE =
      new StateMachineFactory<EngineLife, State, Event, String>(State.STARTING)
          .addTransition(State.STARTING, State.OPEN, Event.CONNECT)
          .addTransition(State.STARTING, State.DRAINING, Event.DRAIN, EngineLife::noteReason)
          .addTransition(State.STARTING, State.DEAD, Event.EXIT)
          .addTransition(State.STARTING, State.DETACHED, Event.DETACH)
          .addTransition(State.OPEN, State.DRAINING, Event.DRAIN, EngineLife::noteReason)
          .addTransition(State.OPEN, State.SILENT, Event.SILENCE)
          .addTransition(State.OPEN, State.OPEN, Event.ANSWER)
          .addTransition(State.OPEN, State.DEAD, Event.EXIT)
          .addTransition(State.OPEN, State.DETACHED, Event.DETACH)
          .addTransition(State.DRAINING, State.DRAINING, EnumSet.of(Event.CONNECT, Event.ANSWER))
          .addTransition(State.DRAINING, State.DRAINING, Event.DRAIN, EngineLife::noteReason)
          .addTransition(State.DRAINING, State.SILENT, Event.SILENCE)
          .addTransition(State.DRAINING, State.DEAD, Event.EXIT)
          .addTransition(State.DRAINING, State.DETACHED, Event.DETACH)
          .addTransition(State.SILENT, ANSWERING, Event.ANSWER, new Answering())
          .addTransition(State.SILENT, State.SILENT, Event.SILENCE)
          .addTransition(State.SILENT, State.SILENT, Event.DRAIN, EngineLife::noteReason)
          .addTransition(State.SILENT, State.DEAD, Event.EXIT)
          .addTransition(State.SILENT, State.DETACHED, Event.DETACH)
          // What is over stays over, whoever comes late.
          .addTransition(State.DEAD, State.DEAD, EnumSet.allOf(Event.class))
          .addTransition(State.DETACHED, State.DETACHED, EnumSet.allOf(Event.class))
          .installTopology();

  private final StateMachine<State, Event, String> machine = MACHINE.make(this);
  private String drainReason = "";

  private void noteReason(String reason) {
    if (drainReason.isEmpty()) {
      drainReason = reason;
    }
  }

  State state() {
    return machine.getCurrentState();
  }

  /** Why it is to take no more containers; empty if nobody has said so. */
  String drainReason() {
    return drainReason;
  }

  /** Something happened; returns where that leads. */
  State happened(Event event) {
    return machine.doTransition(event, "");
  }

  /** It is to take no more containers. */
  State drain(String reason) {
    return machine.doTransition(Event.DRAIN, reason);
  }
}
