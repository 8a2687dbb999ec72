// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.statics.TaskStatics;
import org.mammoth.mapreduce.buffers.HealthyDirs;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.mammoth.mapreduce.engine.children.TaskChildren;
import org.mammoth.mapreduce.engine.heap.HeapPromise;
import org.mammoth.mapreduce.engine.heap.HeapTenant;
import org.mammoth.mapreduce.engine.memory.AttemptBuffers;
import org.mammoth.mapreduce.engine.output.ContainerOutput;
import org.mammoth.mapreduce.engine.output.LaunchRecord;
import org.mammoth.mapreduce.engine.profile.ThreadDump;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EndKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One container inside the engine, from its launch to the end of its last thread. Its warden, an
 * engine thread, starts the program's main thread, waits for its end or for someone to end it,
 * reports the exit, and clears up behind it.
 */
public final class HostedContainer
    implements ContainerTable.Body, TaskProcess.Listener, TaskBuffers.Holder, HeapTenant {

  private static final Logger LOG = LoggerFactory.getLogger(HostedContainer.class);

  private static final int SIGNAL_QUIT = 3;
  private static final int SIGNAL_KILL = 9;
  private static final int SIGNAL_TERM = 15;
  private static final Duration LEFTOVERS_MAY_TAKE = Duration.ofSeconds(2);

  private static final String NEED = "needs a process: ";

  private final ContainerLaunchSpec spec;
  private final TaskSurroundings shared;
  private final HostedContainers containers;
  private final ContainerProgram.Factory programs;
  private final String name;
  private final long startedMs = System.currentTimeMillis();
  private final double startedCollectionMs;
  private final ContainerLife life;
  private final AttemptBuffers buffers;
  private volatile TaskProcess process;
  private volatile ContainerProgram program;

  /** Null until there is a process that can have some. */
  private volatile TaskChildren children;

  private volatile ContainerOutput output;

  /** Null until there is a program. */
  private volatile LastSteps lastSteps;

  private final ForcedEnd forced;
  private final MemoryEnd memoryEnd;

  /** Its main thread has told all that it has to tell; others may be at work. */
  private volatile boolean told;

  private volatile boolean mainEnded;
  private volatile boolean failedItself;

  HostedContainer(
      ContainerLaunchSpec spec,
      TaskSurroundings shared,
      ContainerProgram.Factory programs,
      HostedContainers containers) {
    this.spec = spec;
    this.shared = shared;
    this.programs = programs;
    this.containers = containers;
    this.life = new ContainerLife(spec.containerId());
    this.forced = new ForcedEnd(this, life);
    this.memoryEnd = new MemoryEnd(this, containers, forced);
    this.startedCollectionMs = containers.collections().each();
    this.name = programs.nameOf(this);
    this.buffers =
        shared.memory() == null
            ? null
            : shared
                .memory()
                .open(new LeaseOwner(spec.user(), programs.jobOf(this), name), spec.localDirs());
  }

  String containerId() {
    return spec.containerId();
  }

  /** The task attempt, or what else runs here. */
  @Override
  public String name() {
    return name;
  }

  @Override
  public long promisedBytes() {
    return HeapPromise.of(spec);
  }

  @Override
  public List<Thread> heapThreads() {
    TaskProcess running = process;
    return running == null ? List.of() : running.liveThreads();
  }

  public ContainerLaunchSpec spec() {
    return spec;
  }

  @Override
  public ContainerLife life() {
    return life;
  }

  @Override
  public void start() {
    containers.begin(this);
  }

  @Override
  public void discard() {
    try {
      freeBuffers();
    } finally {
      containers.discarded(this);
    }
  }

  /** The task's whole life; runs on its warden. Whatever happens, its end is reported. */
  void runToEnd() {
    Thread.currentThread().setName("warden-" + name);
    try {
      Thread main = startProgram();
      life.awaitEnding();
      finish(main);
    } catch (IOException e) {
      // Only the engine's own start throws these: a program's are its main thread's.
      LOG.error("{} could not be started", this, e);
      abort("The engine could not start the task, which is run again: " + e);
      containers.checkDescriptors();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      abort("The engine is ending.");
    } catch (RuntimeException | Error e) {
      LOG.error("The engine failed {}", this, e);
      abort("The engine failed the task, which is run again: " + e);
      if (e instanceof VirtualMachineError) {
        containers.drain("it failed " + name + ": " + e);
      }
      attempt("fencing off", this::standStill);
      attempt("interrupting", this::interruptLeftovers);
    } finally {
      reportAndClearUp();
    }
  }

  private void abort(String why) {
    life.end(EndKind.ABORTED, ContainerExitStatus.ABORTED, why);
  }

  /** Starts the main thread; null if the container was ended before. */
  private Thread startProgram() throws IOException {
    if (!life.start()) {
      return null;
    }
    openProcess();
    program = programs.create(this, process);
    lastSteps = new LastSteps(this, process, program, output);
    if (shared.memory() != null) {
      shared.memory().heap().began(this);
    }
    Thread main = new Thread(process.threads(), this::runMain, "main");
    main.setContextClassLoader(getClass().getClassLoader());
    main.setDaemon(false); // what it starts inherits it
    if (!life.started()) {
      return null;
    }
    main.start();
    return main;
  }

  private void openProcess() throws IOException {
    Path workDir = Path.of(spec.workDir());
    Path logs = Path.of(spec.logDir());
    Files.createDirectories(logs);
    LaunchRecord.leave(workDir, logs);
    output = new ContainerOutput(logs);
    TaskProcess opened =
        TaskProcess.builder(name)
            .environment(LaunchRecord.environment(spec))
            .workDir(workDir)
            .tmpDir(Files.createDirectories(workDir.resolve("tmp")))
            .properties(spec.properties())
            .heapBytes(promisedBytes())
            .stdout(output.stdout())
            .stderr(output.stderr())
            .streamFiles(logs.resolve("stdout"), logs.resolve("stderr"))
            .listener(this)
            .build();
    // Known before its logs are there: what is open is closed then, whatever fails.
    process = opened;
    children = shared.childrenOf(opened, containerId());
    opened.logs(output.openLogs(spec, programs.isReduce(this)));
  }

  /** The container's main thread. */
  private void runMain() {
    try {
      int code = program.run();
      told = true;
      lastSteps.awaitThreads(life::isEnding);
      mainEnded = true;
      end(code, "");
    } catch (TaskExit e) {
      end(e.status(), "");
    } catch (OutOfMemoryError e) {
      endForMemory(e);
    } catch (Throwable e) { // a process would print it and end with 1
      if (!life.isEnding()) {
        LOG.error("The main thread ended", e);
        e.printStackTrace(process.stderr());
      }
      end(1, "The main thread ended with " + e);
    }
  }

  private void endForMemory(OutOfMemoryError error) {
    LOG.error("Error running child : {}", StringUtils.stringifyException(error));
    if (memoryEnd.isOwnFault(error)) {
      program.reportFatal(error);
      end(program.fatalStatus(), "");
    }
  }

  @Override
  public void failForMemory(OutOfMemoryError error) {
    memoryEnd.fail(process, program, error);
  }

  @Override
  public void yieldForMemory(String why) {
    if (mayYield()) {
      forced.giveWay(why);
    }
  }

  /**
   * One that has told its end does not: its work counts, and what its other threads are at would be
   * lost, or done twice.
   */
  @Override
  public boolean mayYield() {
    return !told && !forced.isLast();
  }

  /**
   * The program is about to do what no other attempt would do again.
   *
   * @return false if the engine is ending it, and it must not
   */
  boolean passPointOfNoReturn() {
    return forced.passPointOfNoReturn();
  }

  /** Null before it runs. */
  TaskChildren children() {
    return children;
  }

  /** Ends it as upstream's NodeManager ends a container that uses too much memory. */
  void failForChildren(String why) {
    if (!life.isEnding()) {
      // What it would say of children that are killed is not why it ends.
      attempt("fencing off", this::standStill);
      forced.condemn(EndKind.PROGRAM, ContainerExitStatus.KILLED_EXCEEDED_PMEM, why);
    }
  }

  private void end(int code, String why) {
    life.end(EndKind.PROGRAM, code, why);
  }

  /** Acts on a signal as a process would; false if the task is already ending. */
  boolean signal(int signal) {
    if (signal == SIGNAL_QUIT) {
      TaskProcess running = process;
      if (running != null) {
        ThreadDump.write(running);
      }
      return true;
    }
    if (signal != SIGNAL_TERM && signal != SIGNAL_KILL) {
      return !life.isEnding();
    }
    boolean killed = life.kill(signal);
    if (signal == SIGNAL_KILL) {
      cutOff();
    }
    LOG.info(
        "{} {} by signal {}", this, killed ? "is killed" : "had ended and is not killed", signal);
    return killed;
  }

  /** Its process would be gone by now, whatever its threads are at, hooks among them. */
  private void cutOff() {
    LastSteps steps = lastSteps;
    if (steps == null) {
      return;
    }
    boolean confined = program.isConfinedByFence();
    if (confined) {
      attempt("fencing off", steps::standStill);
    }
    attempt("killing the children of", children::kill);
    if (confined) {
      report();
    }
    steps.kill();
  }

  private void fence() {
    ContainerProgram running = program;
    if (running != null) {
      running.fence();
    }
  }

  private void standStill() {
    LastSteps steps = lastSteps;
    if (steps != null) {
      steps.standStill();
    }
  }

  /** Whether its end is decided and the engine is at it, not hooks of its own. */
  boolean isBeingEnded() {
    LastSteps steps = lastSteps;
    boolean hooks = steps != null && steps.isInHooks() && !life.killed();
    return life.state() == ContainerLife.State.ENDING && !hooks;
  }

  /** Brings the program to its end, as far as it follows. */
  private void finish(Thread main) throws InterruptedException {
    LastSteps steps = lastSteps;
    if (steps == null) {
      return;
    }
    boolean cutShort = forced.isCutShort();
    if (cutShort) {
      memoryEnd.awaitReport();
    }
    boolean ended = life.killed() || cutShort;
    if (ended) {
      attempt("fencing off", this::fence);
      // In a process group they get the same signal.
      attempt("ending the children of", children::terminate);
      attempt("terminating", program::terminate);
    } else if (mainEnded && main != null) {
      main.join();
    }
    List<Thread> late =
        cutShort ? List.of() : steps.runHooks(() -> life.state() == ContainerLife.State.REPORTED);
    attempt("fencing off", steps::standStill);
    late.forEach(Thread::interrupt);
    if (cutShort && !steps.stop(children, shared.childGrace())) {
      containers.drain(name + " did not heed its end and was stopped");
    }
    boolean closed = steps.close(() -> cutShort || life.state() == ContainerLife.State.REPORTED);
    if (ended || !closed) {
      steps.interruptUntilGone(shared.killGrace());
    }
    endLeftovers(steps);
    if (!closed) {
      steps.insistOnClosing();
    }
  }

  private void endLeftovers(LastSteps steps) throws InterruptedException {
    boolean hasChildren = children.terminate();
    if (hasChildren || !process.liveThreads().isEmpty()) {
      if (!life.killed()) {
        // As when a process ends: what its other threads do now is nobody's business any more.
        report();
      }
      if (hasChildren) {
        children.killAfter(shared.childGrace().toMillis());
      }
      if (!steps.interruptUntilGone(LEFTOVERS_MAY_TAKE).isEmpty()) {
        children.endAtPipes(shared.childGrace().toMillis());
        StuckThreads.stopSleepers(process.liveThreads());
        steps.interruptUntilGone(LastSteps.STOPPED_AFTER);
      }
    }
    process.identity().closePipes();
  }

  /** The last that is done for a container, however it ended; never throws. */
  private void reportAndClearUp() {
    attempt("fencing off", this::standStill);
    attempt(
        "ending the children of", () -> Optional.ofNullable(children).ifPresent(TaskChildren::end));
    // Nothing if somebody has said how it ends, which is the rule.
    abort("The engine lost track of the task, which is run again.");
    attempt("reporting the end of", this::report);
    List<Thread> left = lastSteps == null ? List.of() : lastSteps.left();
    if (!left.isEmpty()) {
      life.linger();
      containers.lingers(this, left);
      if (!lastSteps.outlive()) {
        return;
      }
      containers.vanished(this);
    }
    attempt("freeing the buffers of", this::freeBuffers);
    attempt("clearing up", this::clearUp);
    life.vanish();
    containers.gone(this);
  }

  private void interruptLeftovers() {
    LastSteps steps = lastSteps;
    if (steps != null) {
      try {
        steps.interruptUntilGone(LEFTOVERS_MAY_TAKE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Tells its end, once; any thread. */
  private void report() {
    ContainerExit exit = life.report(0);
    if (exit != null) {
      containers.ended(this, exit);
    }
  }

  private void attempt(String what, Runnable step) {
    LastSteps.attempt(what, this, step);
  }

  void freeBuffers() {
    if (buffers != null) {
      buffers.close();
    }
  }

  private void clearUp() {
    if (shared.memory() != null) {
      shared.memory().heap().ended(this);
    }
    ContainerProgram ended = program;
    TaskProcess left = process;
    try {
      if (ended != null) {
        ended.close();
      }
    } finally {
      if (left != null) {
        TaskStatics.release(left);
        left.close();
        shared.statistics().forget(left);
      }
    }
  }

  /** Folders of the application that the task may write to: those of disks in order. */
  List<String> usableLocalDirs() {
    return shared.memory() == null
        ? spec.localDirs()
        : HealthyDirs.of(spec.localDirs(), shared.memory().ordinaryDirs());
  }

  @Override
  public TaskBuffers buffers() {
    return buffers;
  }

  /** The task asked for the end of its process, from any of its threads. */
  @Override
  public void onExit(int status, boolean halt) {
    LOG.info("{} exits with {}", this, status);
    fence();
    end(status, "");
  }

  /**
   * A program past the point of no return has the engine to itself, which takes nobody else; later
   * jobs of its kind need not get there, as its end tells.
   */
  @Override
  public boolean mayReach(String what) {
    boolean may = !forced.mayRunAgain() && containers.leaveTo(this, what);
    if (may) {
      life.needs(NEED + what);
    }
    return may;
  }

  @Override
  public void onProcessNeeded(String what) {
    LOG.info("{} needs a process of its own: {}", this, what);
    fence();
    life.end(EndKind.NEEDS_PROCESS, ContainerExitStatus.ABORTED, NEED + what);
  }

  @Override
  public void onUncaught(Thread thread, Throwable error) {
    LOG.warn("Thread {} of {} died", thread.getName(), this, error);
  }

  @Override
  public void onOutOfMemory(Thread thread, OutOfMemoryError error) {
    memoryEnd.met(process, thread, error);
  }

  /**
   * Reports the exit now, though the program goes on for a while with nothing that the container's
   * resources are needed for.
   */
  void reportExit(int code) {
    ContainerExit exit = life.report(code);
    if (exit != null) {
      containers.ended(this, exit);
    }
  }

  /** The same for a program that goes on to answer its clients; the JVM stays until then. */
  void reportAndAnswer(int code) {
    containers.answersLate(this);
    reportExit(code);
  }

  /** An equal share of the engine's resident set, bytes. */
  long shareOfResidentBytes() {
    return EngineVitals.residentBytes() / Math.max(1, containers.runningCount());
  }

  /** Its part of the collectors' time since it began, ms. */
  long shareOfCollectionMs() {
    return Math.round(containers.collections().each() - startedCollectionMs);
  }

  /** An equal share of the committed heap, bytes. */
  long shareOfHeapBytes() {
    return Runtime.getRuntime().totalMemory() / Math.max(1, containers.runningCount());
  }

  /** The program has told its ApplicationMaster that it failed. */
  void noteFailure() {
    failedItself = true;
  }

  boolean failedItself() {
    return failedItself;
  }

  private String phase() {
    ContainerProgram now = program;
    if (life.isEnding()) {
      return "ENDING";
    }
    return now == null ? "STARTING" : now.phase();
  }

  public EngineSnapshot.Task row() {
    return new EngineSnapshot.Task(
        name,
        programs.jobOf(this),
        spec.user(),
        containerId(),
        phase(),
        spec.memoryMb(),
        startedMs,
        buffers == null ? "" : buffers.merge(),
        children == null ? 0 : children.count(),
        children == null ? 0 : children.residentBytes());
  }

  @Override
  public String toString() {
    return name + " in " + containerId();
  }
}
