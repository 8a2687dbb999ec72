// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.mammoth.engine.isolation.rewrite.CallRewriter;

/** A task process with a loader over compiled user classes, run by a test. */
public final class Task implements AutoCloseable, TaskProcess.Listener {
  /** Bytes of heap that each sees. */
  public static final long HEAP = 64 << 20;

  public final ByteArrayOutputStream out = new ByteArrayOutputStream();
  public final ByteArrayOutputStream err = new ByteArrayOutputStream();
  public final List<String> events = new CopyOnWriteArrayList<>();
  public final CountDownLatch exited = new CountDownLatch(1);
  public final Path work;
  public final Path tmp;
  public final TaskProcess process;
  public final TaskClassLoader loader;

  /** Whether it has its JVM to itself. */
  public volatile boolean alone;

  public Task(Path root, String name, Path... classPath) throws IOException {
    this(
        root,
        name,
        new TaskClassLoader(
            name, UserCode.urls(classPath), Task.class.getClassLoader(), CallRewriter.standard()));
  }

  public Task(Path root, String name, TaskClassLoader loader) throws IOException {
    this(root, name, Map.of("WHO", name, "PATH", System.getenv("PATH")), loader);
  }

  public Task(Path root, String name, Map<String, String> environment, TaskClassLoader loader)
      throws IOException {
    work = Files.createDirectories(root.resolve(name));
    tmp = Files.createDirectories(root.resolve(name + "-tmp"));
    process =
        TaskProcess.builder(name)
            .environment(environment)
            .workDir(work)
            .tmpDir(tmp)
            .stdout(out)
            .stderr(err)
            .property("who", name)
            .heapBytes(HEAP)
            .listener(this)
            .build();
    this.loader = loader;
    loader.bind(process);
  }

  @Override
  public void onExit(int status, boolean halt) {
    events.add((halt ? "halt " : "exit ") + status);
    exited.countDown();
  }

  @Override
  public void onProcessNeeded(String what) {
    events.add("needs a process: " + what);
  }

  @Override
  public boolean mayReach(String what) {
    return alone;
  }

  @Override
  public void onUncaught(Thread thread, Throwable error) {
    events.add("uncaught " + error + " in " + thread.getName());
  }

  @Override
  public void onOutOfMemory(Thread thread, OutOfMemoryError error) {
    events.add("memory in " + thread.getName());
  }

  /** Runs a function class on a thread of the task; rethrows what it throws. */
  public String call(String className, String in) throws Exception {
    AtomicReference<String> result = new AtomicReference<>();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        start(
            "main",
            () -> {
              try {
                result.set(function(className).apply(in));
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    thread.join(20_000);
    if (thread.isAlive()) {
      throw new AssertionError(className + " still runs");
    }
    if (failure.get() instanceof Error) {
      throw (Error) failure.get();
    }
    if (failure.get() != null) {
      throw (Exception) failure.get();
    }
    return result.get();
  }

  @SuppressWarnings("unchecked")
  public Function<String, String> function(String className) throws ReflectiveOperationException {
    return (Function<String, String>) loader.loadClass(className).getConstructor().newInstance();
  }

  public Thread start(String name, Runnable body) {
    Thread thread = new Thread(process.threads(), body, name);
    thread.setContextClassLoader(loader);
    thread.start();
    return thread;
  }

  @Override
  public void close() throws IOException {
    process.close();
    loader.close();
  }
}
