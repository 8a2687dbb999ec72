// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.network.OpenSockets;
import org.mammoth.mapreduce.engine.children.TaskChildren;
import org.mammoth.mapreduce.engine.output.ContainerOutput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a hosted program ends, step by step and in the order of a process: its other threads that are
 * no daemons come to their end, shutdown hooks run, it stands still, and what it has open is
 * closed. Its threads are interrupted only then: in a process they would be gone, and what their
 * handlers do must not be seen.
 */
public final class LastSteps {

  private static final Logger LOG = LoggerFactory.getLogger(LastSteps.class);

  private static final long INTERRUPT_AGAIN_MS = 200;
  private static final long LOOK_MS = 100;

  /** What upstream gives a hook, where nobody is left to kill the program. */
  private static final Duration HOOKS_MAY_TAKE = Duration.ofSeconds(30);

  /** What a killed one has for closing, where a process has what is left between two signals. */
  private static final Duration KILLED_MAY_CLOSE = Duration.ofSeconds(2);

  /** From here on a thread that heeds no interrupt is stopped. */
  static final Duration STOPPED_AFTER = Duration.ofSeconds(1);

  private static final Duration INSISTING_MAY_TAKE = Duration.ofSeconds(1);

  private static final Duration LINGERERS_ARE_ASKED = Duration.ofSeconds(1);

  /** For who was in code that tasks share when it was to be stopped, or lost the stop there. */
  private static final int LINGERERS_ARE_STOPPED = 10;

  /** A worker that has just taken work for another one is idle for one look at most. */
  private static final int IDLE_LOOKS = 2;

  private final Object whose;
  private final TaskProcess process;
  private final ContainerProgram program;
  private final ContainerOutput output;
  private volatile boolean killed;
  private volatile boolean inHooks;
  private volatile boolean stops;

  /** Closes what is open; null before. */
  private volatile Thread closer;

  /**
   * @param whose says in logs whose end it is
   */
  LastSteps(Object whose, TaskProcess process, ContainerProgram program, ContainerOutput output) {
    this.whose = whose;
    this.process = process;
    this.program = program;
    this.output = output;
  }

  /**
   * Waits on the program's main thread, which has nothing more to do, as a JVM does: for all others
   * that are no daemons. Pools that nobody has shut down and that nobody is left to give work to
   * keep a JVM until it is killed; here they are not waited for. Nor is a program that exits.
   *
   * @param ending whether somebody has ended the program meanwhile
   */
  void awaitThreads(BooleanSupplier ending) {
    int idleLooks = 0;
    while (program.endsWithItsThreads() && !ending.getAsBoolean()) {
      List<Thread> others = process.liveThreads();
      Thread first = others.stream().filter(t -> !t.isDaemon()).findFirst().orElse(null);
      if (first == null) {
        return;
      }
      idleLooks = others.stream().allMatch(IdleThreads::isIdle) ? idleLooks + 1 : 0;
      if (idleLooks == IDLE_LOOKS) {
        return;
      }
      try {
        TimeUnit.MILLISECONDS.timedJoin(first, LOOK_MS);
      } catch (InterruptedException e) {
        // In a process this thread has ended, and cannot be interrupted.
        idleLooks = 0;
      }
    }
  }

  /**
   * Runs shutdown hooks until they are done, or until the program is killed.
   *
   * @param reported whether its end has been reported, after which nobody kills it
   * @return hooks that run on
   */
  List<Thread> runHooks(BooleanSupplier reported) throws InterruptedException {
    long deadline = System.nanoTime() + HOOKS_MAY_TAKE.toNanos();
    inHooks = true;
    try {
      return process.runShutdownHooks(
          () -> killed || System.nanoTime() > deadline && reported.getAsBoolean());
    } finally {
      inHooks = false;
    }
  }

  /** Whether hooks run, which may take what time they want. */
  boolean isInHooks() {
    return inHooks;
  }

  /** A signal has come that a process does not survive. */
  void kill() {
    killed = true;
  }

  /** From now on nothing of the program reaches the outside; any thread. */
  void standStill() {
    // In this order: a thread that finds itself cut off does not ask for an end of its own.
    process.standStill();
    program.fence();
  }

  /**
   * Closes what it has open, and ends its output. A stream's lock may be with a thread that waits
   * for what does not come, until it is interrupted; so this is done on a thread of its own, which
   * is waited for no longer than hooks are, and shortly after a kill.
   *
   * @param unkilled whether nobody will kill the program
   * @return false if it is not done, so that threads must be interrupted first
   */
  boolean close(BooleanSupplier unkilled) throws InterruptedException {
    Thread closing = new Thread(this::closeAll, "closer of " + whose);
    closing.setDaemon(true);
    try {
      closing.start();
    } catch (OutOfMemoryError e) {
      LOG.error("No thread can be made that closes what {} has open", whose, e);
      closeAll();
      return true;
    }
    closer = closing;
    long begun = System.nanoTime();
    long killedAt = 0;
    closing.join(LOOK_MS);
    while (closing.isAlive()) {
      long now = System.nanoTime();
      if (killed && killedAt == 0) {
        killedAt = now;
      }
      boolean isLate = now - begun > HOOKS_MAY_TAKE.toNanos() && unkilled.getAsBoolean();
      if (isLate || killedAt != 0 && now - killedAt > KILLED_MAY_CLOSE.toNanos()) {
        LOG.warn("What {} has open is not closed yet; its threads are interrupted", whose);
        return false;
      }
      closing.join(LOOK_MS);
    }
    return true;
  }

  private void closeAll() {
    attempt("closing the files of", whose, program::closeFileSystems);
    attempt("closing the sockets of", whose, () -> OpenSockets.close(process));
    attempt("ending the output of", whose, this::endOutput);
  }

  /** Waits once more for what is being closed, whose owners have been interrupted meanwhile. */
  void insistOnClosing() throws InterruptedException {
    Thread closing = closer;
    if (closing != null) {
      closing.join(INSISTING_MAY_TAKE.toMillis());
      closing.interrupt();
      closing.join(INSISTING_MAY_TAKE.toMillis());
    }
  }

  /** Threads that its end has not ended. */
  List<Thread> left() {
    List<Thread> left = new ArrayList<>(process.liveThreads());
    Thread closing = closer;
    if (closing != null && closing.isAlive()) {
      left.add(closing);
    }
    return left;
  }

  private void endOutput() {
    process.stdout().flush();
    process.stderr().flush();
    output.end();
  }

  /** Interrupts its threads again and again; those that are left. */
  List<Thread> interruptUntilGone(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    List<Thread> left = process.liveThreads();
    while (!left.isEmpty() && System.nanoTime() < deadline) {
      process.interruptAll();
      left = process.awaitTermination(Duration.ofMillis(INTERRUPT_AGAIN_MS));
      left.forEach(IdleThreads::shutDownOwner);
    }
    return left;
  }

  /**
   * Ends its threads now, and its children before: who reads what those say, or writes to them,
   * heeds nothing else.
   *
   * @param grace how long children have between two signals
   * @return false if there were threads that heeded nothing, which are stopped
   */
  boolean stop(TaskChildren children, Duration grace) throws InterruptedException {
    children.killAfter(grace.toMillis());
    if (interruptUntilGone(STOPPED_AFTER).isEmpty()
        || children.endAtPipes(grace.toMillis()) && interruptUntilGone(STOPPED_AFTER).isEmpty()) {
      return true;
    }
    stops = true;
    StuckThreads.stop(process.liveThreads());
    return false;
  }

  /** Waits for threads that ignore their end; false if the calling one is interrupted before. */
  boolean outlive() {
    try {
      int times = stops ? LINGERERS_ARE_STOPPED : 0;
      while (!process.awaitTermination(LINGERERS_ARE_ASKED).isEmpty()) {
        process.interruptAll();
        if (times-- > 0) {
          StuckThreads.stop(process.liveThreads());
        }
      }
      Thread closing = closer;
      if (closing != null) {
        closing.join();
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Takes one step of an end, which goes on whatever becomes of it. */
  static void attempt(String what, Object whose, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      LOG.error("{} {} failed", what, whose, e);
    }
  }
}
