// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.yarn.state.StateMachine;
import org.apache.hadoop.yarn.state.StateMachineFactory;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.EndKind;

/**
 * The life of one container in the engine, and the first word on how it ends. docs/lifecycle.md
 * draws it. Knows neither threads nor clocks; thread-safe, never blocks but in {@link
 * #awaitEnding}.
 */
public final class ContainerLife {

  /** Where a container is in its life. */
  enum State {
    /** Accepted; its warden has not begun. */
    ADMITTED,
    /** The warden makes what the program needs. */
    STARTING,
    /** The program's main thread runs. */
    RUNNING,
    /** Its end has been reported, though the program goes on for a while. */
    OVERTIME,
    /** How it ends is decided; its threads may still run. */
    ENDING,
    /** Its end has been reported; what it held is being freed. */
    REPORTED,
    /** Freed, but for threads that ignore its end. */
    LINGERING,
    /** Nothing of it is left. */
    GONE
  }

  /** What can happen to it. */
  enum Event {
    START,
    STARTED,
    END,
    KILL,
    REPORT,
    LINGER,
    VANISH
  }

  private static final int KILLED_BY_SIGNAL = 128;

  private record Ending(EndKind kind, int code, String why) {}

  private static final StateMachineFactory<ContainerLife, State, Event, Ending> MACHINE =
      new StateMachineFactory<ContainerLife, State, Event, Ending>(State.ADMITTED)
          .addTransition(State.ADMITTED, State.STARTING, Event.START)
          .addTransition(State.STARTING, State.RUNNING, Event.STARTED)
          .addTransition(State.ADMITTED, State.ENDING, Event.END, ContainerLife::decide)
          .addTransition(State.STARTING, State.ENDING, Event.END, ContainerLife::decide)
          .addTransition(State.RUNNING, State.ENDING, Event.END, ContainerLife::decide)
          .addTransition(State.ADMITTED, State.ENDING, Event.KILL, ContainerLife::decideKilled)
          .addTransition(State.STARTING, State.ENDING, Event.KILL, ContainerLife::decideKilled)
          .addTransition(State.RUNNING, State.ENDING, Event.KILL, ContainerLife::decideKilled)
          .addTransition(State.RUNNING, State.OVERTIME, Event.REPORT)
          // The first word counts; only a killed one may be killed harder.
          .addTransition(State.ENDING, State.ENDING, Event.START)
          .addTransition(State.ENDING, State.ENDING, Event.STARTED)
          .addTransition(State.ENDING, State.ENDING, Event.END)
          .addTransition(State.ENDING, State.ENDING, Event.KILL, ContainerLife::killHarder)
          .addTransition(State.ENDING, State.REPORTED, Event.REPORT)
          .addTransition(State.OVERTIME, State.REPORTED, Event.END, ContainerLife::decide)
          .addTransition(State.OVERTIME, State.REPORTED, Event.KILL, ContainerLife::decideKilled)
          .addTransition(State.OVERTIME, State.OVERTIME, Event.REPORT)
          .addTransition(State.REPORTED, State.REPORTED, Event.END)
          .addTransition(State.REPORTED, State.REPORTED, Event.KILL)
          .addTransition(State.REPORTED, State.REPORTED, Event.REPORT)
          .addTransition(State.REPORTED, State.LINGERING, Event.LINGER)
          .addTransition(State.REPORTED, State.GONE, Event.VANISH)
          .addTransition(State.LINGERING, State.LINGERING, Event.END)
          .addTransition(State.LINGERING, State.LINGERING, Event.KILL)
          .addTransition(State.LINGERING, State.LINGERING, Event.REPORT)
          .addTransition(State.LINGERING, State.GONE, Event.VANISH)
          .addTransition(State.GONE, State.GONE, Event.END)
          .addTransition(State.GONE, State.GONE, Event.KILL)
          .addTransition(State.GONE, State.GONE, Event.REPORT)
          .installTopology();

  private final String containerId;

  @GuardedBy("this")
  private final StateMachine<State, Event, Ending> machine = MACHINE.make(this);

  private final CountDownLatch ending = new CountDownLatch(1);

  @GuardedBy("this")
  private Ending end;

  @GuardedBy("this")
  private boolean killed;

  /** What it needs a process for, though it goes on here; empty if nothing. */
  @GuardedBy("this")
  private String need = "";

  ContainerLife(String containerId) {
    this.containerId = containerId;
  }

  @SuppressWarnings("GuardedBy") // the machine calls it, and who drives the machine has the lock
  private void decide(Ending first) {
    end = first;
    ending.countDown();
  }

  @SuppressWarnings("GuardedBy") // the machine calls it, and who drives the machine has the lock
  private void decideKilled(Ending signal) {
    killed = true;
    decide(signal);
  }

  @SuppressWarnings("GuardedBy") // the machine calls it, and who drives the machine has the lock
  private void killHarder(Ending signal) {
    if (killed) {
      end = signal;
    }
  }

  synchronized State state() {
    return machine.getCurrentState();
  }

  /** The warden has begun; false if the container has been ended before. */
  synchronized boolean start() {
    return machine.doTransition(Event.START, null) == State.STARTING;
  }

  /** The main thread is about to run; false if the container has been ended before. */
  synchronized boolean started() {
    return machine.doTransition(Event.STARTED, null) == State.RUNNING;
  }

  /** Ends it; nothing if its end is decided already. */
  synchronized void end(EndKind kind, int code, String why) {
    machine.doTransition(Event.END, new Ending(kind, code, why));
  }

  /**
   * Ends it by a signal.
   *
   * @return whether a signal is what it ends of, this one or an earlier one
   */
  synchronized boolean kill(int signal) {
    boolean over = end != null && !killed;
    machine.doTransition(Event.KILL, new Ending(EndKind.PROGRAM, KILLED_BY_SIGNAL + signal, ""));
    return !over && killed;
  }

  /** It has reached what it needs a process for, and goes on here; the first counts. */
  synchronized void needs(String what) {
    if (need.isEmpty()) {
      need = what;
    }
  }

  /** Waits until its end is decided. */
  void awaitEnding() throws InterruptedException {
    ending.await();
  }

  synchronized boolean isEnding() {
    return end != null;
  }

  synchronized boolean killed() {
    return killed;
  }

  /**
   * Its end goes to the NodeManager now.
   *
   * @param early what to say if the program still runs
   * @return what to say; null if it has been said
   */
  synchronized ContainerExit report(int early) {
    State before = machine.getCurrentState();
    State after = machine.doTransition(Event.REPORT, null);
    if (before == after) {
      return null;
    }
    Ending told = end == null ? new Ending(EndKind.PROGRAM, early, "") : end;
    return told.kind() == EndKind.PROGRAM && !need.isEmpty()
        ? ContainerExit.withNeed(containerId, told.code(), told.why(), need)
        : new ContainerExit(containerId, told.kind(), told.code(), told.why());
  }

  /** Threads of it ignore its end. */
  synchronized void linger() {
    machine.doTransition(Event.LINGER, null);
  }

  /** Its last thread is gone. */
  synchronized void vanish() {
    machine.doTransition(Event.VANISH, null);
  }
}
