// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.File;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * What a task would have had to itself in a process of its own: environment, working directory,
 * system properties, standard streams, exit status, shutdown hooks and threads.
 *
 * <p>User code reaches it through {@code ProcessCalls}, library code through {@code System.out} and
 * the log appender. Thread-safe. Holds no thread of its own. After {@link #close} everything still
 * answers, and what is written is dropped.
 */
public final class TaskProcess implements AutoCloseable {
  /**
   * Told about the process's fate. Called on the thread it happened on, so it must be quick and
   * must not throw.
   */
  public interface Listener {
    /**
     * The process asked to end. Called once, for the first request, before the asking thread
     * unwinds.
     */
    void onExit(int status, boolean halt);

    /**
     * The process reached what it cannot share a JVM for. Called once, instead of {@link #onExit},
     * before the asking thread unwinds.
     *
     * @param what it reached, for people
     */
    void onProcessNeeded(String what);

    /**
     * Asked before {@link #onProcessNeeded}: whether the process goes on all the same and reaches
     * that here, as nobody shares its JVM any more.
     *
     * @param what it reached, for people
     */
    default boolean mayReach(String what) {
      return false;
    }

    /** A thread died of an exception no user handler took. Already printed on the task's stderr. */
    void onUncaught(Thread thread, Throwable error);

    /** A thread died for want of memory. Called instead of {@link #onUncaught}. */
    void onOutOfMemory(Thread thread, OutOfMemoryError error);
  }

  /** Of a status others see these. */
  private static final int BITS = 0xff;

  /** Never a real process's exit status. */
  private static final int NEEDS_PROCESS = -100;

  /**
   * The properties of a JVM as it starts: what the engine, or the JDK on behalf of a task, sets
   * later is no other process's business.
   */
  private static final StartProperties OF_JVM = StartProperties.now();

  private final String name;
  private final Map<String, String> environment;
  private final Map<String, String> firstEnvironment;
  private final Path workDir;
  private final Path tmpDir;
  private final Listener listener;
  private final LongSupplier nanos;
  private final TaskThreadGroup threads;
  private final Predicate<Thread> shared;
  private final ProcessEnd end;
  private final ProcessStreams streams;
  private final long heapBytes;
  private final Path stdoutFile;
  private final Path stderrFile;
  private final Statics statics = new Statics(this);
  private final Map<Object, Object[]> ownFields = new ConcurrentHashMap<>();
  private final ProcessParts parts = new ProcessParts();
  private final TaskIdentity identity;
  private final OpenWatches watches = new OpenWatches();
  private final Queue<Runnable> atClose = new ConcurrentLinkedQueue<>();

  private final ProcessExit exit = new ProcessExit();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final OrderedHooks orderedHooks = new OrderedHooks();
  private volatile Properties properties;
  private volatile Thread.UncaughtExceptionHandler defaultHandler;
  private volatile Thread.UncaughtExceptionHandler firstHandler;
  private volatile LogSink logs;
  private volatile TaskClassLoader loader;

  TaskProcess(TaskProcessBuilder b) {
    name = b.name;
    // Of the JDK's kind, as there are programs that change it by what they know of that.
    environment = Collections.unmodifiableMap(new HashMap<>(b.environment));
    firstEnvironment = Map.copyOf(b.environment);
    workDir = OwnFiles.real(b.workDir);
    tmpDir = b.tmpDir.toAbsolutePath();
    listener = b.listener;
    nanos = b.nanos;
    identity = new TaskIdentity(b.name, b.nanos);
    shared = b.shared;
    properties = startProperties(b.properties);
    streams = new ProcessStreams(b.stdout, b.stderr);
    heapBytes = b.heapBytes;
    stdoutFile = b.stdoutFile;
    stderrFile = b.stderrFile;
    end = new ProcessEnd(nanos);
    threads = new TaskThreadGroup(b.parentGroup, name, this);
  }

  /** Starts building a process. */
  public static TaskProcessBuilder builder(String name) {
    return new TaskProcessBuilder(name);
  }

  /**
   * The process the calling thread acts for, or null: the one it belongs to, but within a {@link
   * Detour}. Allocates nothing.
   */
  public static TaskProcess currentOrNull() {
    TaskThreadGroup group = TaskThreadGroup.of(Thread.currentThread());
    if (group != null && !group.hasDetours()) {
      return group.process();
    }
    return Detour.of(group);
  }

  /** The process a thread belongs to, or null; null also for a thread that has ended. */
  public static TaskProcess ofOrNull(Thread thread) {
    TaskThreadGroup group = TaskThreadGroup.of(thread);
    return group == null ? null : group.process();
  }

  /** The processes whose threads the calling one can see: those of this engine. */
  public static List<TaskProcess> all() {
    ThreadGroup top = Thread.currentThread().getThreadGroup();
    while (top.getParent() != null) {
      top = top.getParent();
    }
    ThreadGroup[] groups = new ThreadGroup[top.activeGroupCount() + 16];
    int n = top.enumerate(groups, true);
    while (n == groups.length) {
      // enumerate silently drops what does not fit.
      groups = new ThreadGroup[n * 2];
      n = top.enumerate(groups, true);
    }
    List<TaskProcess> processes = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      if (groups[i] instanceof TaskThreadGroup) {
        processes.add(((TaskThreadGroup) groups[i]).process());
      }
    }
    return processes;
  }

  private Properties startProperties(Map<String, String> overlay) {
    return OF_JVM.of(workDir, tmpDir, overlay);
  }

  /** What the process is called in messages and thread dumps, the attempt id as a rule. */
  public String name() {
    return name;
  }

  /** Environment variables; nothing but reflection can change them. */
  public Map<String, String> environment() {
    return environment;
  }

  /** Environment variables that it began with, and that children have; immutable. */
  public Map<String, String> firstEnvironment() {
    return firstEnvironment;
  }

  /** Working directory; absolute, and without links: so the kernel tells it to a process. */
  public Path workDir() {
    return workDir;
  }

  /** Directory for temporary files; absolute. */
  public Path tmpDir() {
    return tmpDir;
  }

  /** A file name as the process means it: against the working directory when relative. */
  public File resolve(String path) {
    File file = new File(path);
    return file.isAbsolute() ? file : new File(workDir.toString(), path);
  }

  /** System properties of this process: live and mutable, like {@code System.getProperties()}. */
  public Properties properties() {
    return properties;
  }

  /** Replaces all system properties; null restores those the process would start with now. */
  public void properties(Properties replacement) {
    properties = replacement == null ? startProperties(Map.of()) : replacement;
  }

  /** The current standard output. */
  public PrintStream stdout() {
    return streams.out();
  }

  /** The current standard error. */
  public PrintStream stderr() {
    return streams.err();
  }

  /** The file that standard output was opened for; null if there is none or it is closed. */
  public Path stdoutFile() {
    return streams.isOutClosed() ? null : stdoutFile;
  }

  /** Whether the standard output that it began with is closed. */
  public boolean isOutClosed() {
    return streams.isOutClosed();
  }

  /** Whether the standard error that it began with is closed. */
  public boolean isErrClosed() {
    return streams.isErrClosed();
  }

  /** The file that standard error was opened for; null if there is none or it is closed. */
  public Path stderrFile() {
    return streams.isErrClosed() ? null : stderrFile;
  }

  /** The current standard input; empty unless the task set one. */
  public InputStream stdin() {
    return streams.in();
  }

  /** Replaces standard output for this process; null restores the one it began with. */
  public void setOut(PrintStream out) {
    streams.out(out);
  }

  /** Replaces standard error for this process; null restores the one it began with. */
  public void setErr(PrintStream err) {
    streams.err(err);
  }

  /** Replaces standard input for this process; null restores the empty one. */
  public void setIn(InputStream in) {
    streams.in(in);
  }

  /** Who is told of this process's fate. */
  public Listener listener() {
    return listener;
  }

  /** Where log events of this process's threads go; null until set. */
  public LogSink logs() {
    return logs;
  }

  /** Sets where log events go. {@link #close} closes it. */
  public void logs(LogSink sink) {
    logs = sink;
  }

  void loader(TaskClassLoader ofJob) {
    loader = ofJob;
  }

  /** The loader of its user classes; null until there is one. */
  public TaskClassLoader loader() {
    return loader;
  }

  /** What shared classes keep for this process alone in their static fields. */
  public Statics statics() {
    return statics;
  }

  /**
   * The fields of shared objects that this process has changed for itself, by object; live, for
   * rewritten code. The objects are told by identity, as they have no other equality.
   */
  public Map<Object, Object[]> ownFields() {
    return ownFields;
  }

  /**
   * A part of a process that few have, made when it is first asked for.
   *
   * @param type by which it is known
   * @param maker may ask for other parts
   */
  public <T> T part(Class<T> type, Supplier<? extends T> maker) {
    return parts.of(type, maker);
  }

  /** Its number, its age and its children. */
  public TaskIdentity identity() {
    return identity;
  }

  /** The watch services that it has opened. */
  public OpenWatches watches() {
    return watches;
  }

  /** Has something done when the process is closed, which must not fail. */
  public void atClose(Runnable action) {
    atClose.add(action);
  }

  /** The largest heap that it would have of its own; 0 if that is not known. */
  public long heapBytes() {
    return heapBytes;
  }

  /** The group all threads of the process belong to; threads made in it are the process's. */
  public ThreadGroup threads() {
    return threads.main();
  }

  /** The handler for threads that have none, or null. */
  public Thread.UncaughtExceptionHandler defaultHandler() {
    return defaultHandler;
  }

  /**
   * Sets the handler that a process of its own would begin with. Threads that run out of memory are
   * the listener's instead: such a handler ends the process, and here another may be to blame.
   */
  public void firstDefaultHandler(Thread.UncaughtExceptionHandler handler) {
    firstHandler = handler;
    defaultHandler = handler;
  }

  /** Sets the handler for threads that have none. */
  public void defaultHandler(Thread.UncaughtExceptionHandler handler) {
    defaultHandler = handler;
  }

  /**
   * Ends the process: records the status and tells the listener if this is the first request, then
   * throws {@link TaskExit}.
   *
   * @param asked of which others see the last eight bits, as of any process's
   * @param halt whether shutdown hooks are to be skipped
   */
  public void requestExit(int asked, boolean halt) {
    int status = asked & BITS;
    if (exit.request(status, halt)) {
      try {
        listener.onExit(status, halt);
      } catch (RuntimeException e) {
        // No logger of the class's own: log4j asks whose thread it is while it is initialised.
        LoggerFactory.getLogger(TaskProcess.class)
            .error("Process {} exits with {}, but the engine's listener failed", name, status, e);
      }
    }
    throw new TaskExit(name, status);
  }

  /**
   * Ends the process, as it reached {@code what} (for people), which it cannot share a JVM for;
   * hooks are skipped, since it is run again as if it had not begun.
   *
   * <p>Returns where the process is to go on and reach it here ({@link Listener#mayReach}).
   *
   * @throws TaskExit otherwise
   */
  public void needProcess(String what) {
    if (!exit.isOver() && listener.mayReach(what)) {
      return;
    }
    if (exit.request(NEEDS_PROCESS, true)) {
      listener.onProcessNeeded(what);
    }
    throw new TaskExit(name, NEEDS_PROCESS);
  }

  /** Unwinds the calling thread, which can do nothing any more as others have ended the process. */
  public void leave(int status) {
    exit.leave();
    throw new TaskExit(name, status);
  }

  /**
   * A process would be gone by now: its threads unwind where they would reach the outside ({@link
   * #checkGoesOn}). Whoever interrupts them later starts no handler that others see the work of.
   */
  public void standStill() {
    exit.standStill();
  }

  /** Unwinds a thread that in a process would be at its end, before it does what others see. */
  public void checkGoesOn() {
    // The engine closes what is open, and Hadoop's own threads serve other tasks, too.
    if (exit.isOver() && !Detour.isOn() && !shared.test(Thread.currentThread())) {
      throw new TaskExit(name, exit.lastWord());
    }
  }

  /** Unwinds a thread on that unwinds already, before it changes what others go on with. */
  public void checkStands() {
    if (exit.isUnwinding() && !Detour.isOn()) {
      throw new TaskExit(name, exit.lastWord());
    }
  }

  /** The status of the first exit request, if there was one. */
  public OptionalInt exitStatus() {
    return exit.status();
  }

  /** Whether the process ended by {@code Runtime.halt}. */
  public boolean halted() {
    return exit.halted();
  }

  /** As {@code Runtime.addShutdownHook}, for this process. */
  public void addShutdownHook(Thread hook) {
    end.add(hook);
  }

  /** As Hadoop's {@code ShutdownHookManager.addShutdownHook}, for this process. */
  public void addShutdownHook(Runnable hook, int priority) {
    orderedHooks.add(hook, priority);
  }

  /** As Hadoop's {@code ShutdownHookManager.removeShutdownHook}, for this process. */
  public boolean removeShutdownHook(Runnable hook) {
    return orderedHooks.remove(hook);
  }

  /** As Hadoop's {@code ShutdownHookManager.hasShutdownHook}, for this process. */
  public boolean hasShutdownHook(Runnable hook) {
    return orderedHooks.has(hook);
  }

  /** As Hadoop's {@code ShutdownHookManager.clearShutdownHooks}, for this process. */
  public void clearShutdownHooks() {
    orderedHooks.clear();
  }

  /** As {@code Runtime.removeShutdownHook}, for this process. */
  public boolean removeShutdownHook(Thread hook) {
    return end.remove(hook);
  }

  /** As {@code File.deleteOnExit}, for this process. */
  public void deleteAtEnd(File file) {
    end.deleteAtEnd(file);
  }

  /**
   * Runs shutdown hooks, all at once, and deletes {@code deleteOnExit} files; neither when the
   * process was halted. A JVM gives hooks all the time they want, until somebody kills it.
   *
   * @param killed whether somebody has
   * @return hooks that run on; no file is deleted then
   */
  public List<Thread> runShutdownHooks(BooleanSupplier killed) throws InterruptedException {
    if (halted()) {
      end.forget();
      return List.of();
    }
    if (!orderedHooks.isEmpty()) {
      end.add(new Thread(threads, orderedHooks, "shutdown hooks"));
    }
    return end.run(killed);
  }

  /**
   * Threads of the task alive now, in nested groups too, without the calling thread and without
   * those the JVM's libraries made for all tasks while this one happened to call (see {@link
   * SharedThreads}).
   */
  public List<Thread> liveThreads() {
    List<Thread> live = threads.live();
    live.removeIf(t -> t == Thread.currentThread() || shared.test(t));
    return live;
  }

  /** Interrupts every live thread but the calling one, and closes what keeps the JDK's own. */
  public void interruptAll() {
    watches.close();
    liveThreads().forEach(Thread::interrupt);
  }

  /**
   * Waits until no thread of the process but the calling one is left.
   *
   * @return threads still alive when the time was up, threads made meanwhile included
   */
  public List<Thread> awaitTermination(Duration atMost) throws InterruptedException {
    long deadline = nanos.getAsLong() + atMost.toNanos();
    List<Thread> live = liveThreads();
    while (!live.isEmpty()) {
      if (!Joiner.join(live, deadline, nanos).isEmpty()) {
        return liveThreads();
      }
      live = liveThreads();
    }
    return live;
  }

  void uncaught(Thread thread, Throwable error) {
    if (error instanceof TaskExit || error instanceof ThreadDeath) {
      return;
    }
    try {
      reportUncaught(thread, error);
    } finally {
      // Told even if there was no memory left to print with.
      if (error instanceof OutOfMemoryError) {
        listener.onOutOfMemory(thread, (OutOfMemoryError) error);
      } else {
        listener.onUncaught(thread, error);
      }
    }
  }

  private void reportUncaught(Thread thread, Throwable error) {
    Thread.UncaughtExceptionHandler handler = defaultHandler;
    boolean listenerDecides = error instanceof OutOfMemoryError && handler == firstHandler;
    if (handler != null && !listenerDecides) {
      handler.uncaughtException(thread, error);
      return;
    }
    PrintStream err = stderr();
    synchronized (err) {
      err.print("Exception in thread \"" + thread.getName() + "\" ");
      error.printStackTrace(err);
    }
  }

  /**
   * Flushes and closes the log and the streams the process began with, and forgets hooks that never
   * ran. Idempotent.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    end.forget();
    atClose.forEach(Runnable::run);
    LogSink sink = logs;
    if (sink != null) {
      sink.close();
    }
    streams.close();
    releaseShared();
    threads.release();
  }

  /** A shared thread outlives the task and would keep the loader it inherited. */
  private void releaseShared() {
    for (Thread thread : threads.live()) {
      if (shared.test(thread)) {
        thread.setContextClassLoader(TaskProcess.class.getClassLoader());
      }
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
