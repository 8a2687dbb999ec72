// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upstream;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.platform.console.ConsoleLauncher;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.buffers.TaskBuffers;

/**
 * Runs a test class as if it were a task of an engine: what its threads open and create in HDFS
 * goes through the engine's client ({@link EnginesClient}), reads ahead in a disk's turns, and
 * stays in the data cache. Takes the arguments of JUnit's {@link ConsoleLauncher}.
 */
public final class TestsOfATask {

  private TestsOfATask() {}

  /** The process the tests run as. */
  private static final class Task implements TaskProcess.Listener, TaskBuffers.Holder {

    private final TaskBuffers buffers;

    Task(TaskBuffers buffers) {
      this.buffers = buffers;
    }

    @Override
    public TaskBuffers buffers() {
      return buffers;
    }

    @Override
    public void onExit(int status, boolean halt) {
      System.err.println("the tests asked to exit with status " + status);
    }

    @Override
    public void onProcessNeeded(String what) {
      System.err.println("the tests need a process: " + what);
    }

    @Override
    public void onUncaught(Thread thread, Throwable error) {
      System.err.println(thread.getName() + " died of " + error);
    }

    @Override
    public void onOutOfMemory(Thread thread, OutOfMemoryError error) {
      System.err.println(thread.getName() + " died of " + error);
    }
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path work = Path.of("").toAbsolutePath();
    ClientBuffers buffers = new ClientBuffers(Files.createDirectories(work.resolve("disk")));
    TaskProcess process =
        TaskProcess.builder("tests").workDir(work).listener(new Task(buffers)).build();
    PrintWriter out = new PrintWriter(System.out, true);
    PrintWriter err = new PrintWriter(System.err, true);
    AtomicInteger status = new AtomicInteger(1);
    Thread tests =
        new Thread(
            process.threads(),
            () -> status.set(ConsoleLauncher.run(out, err, args).getExitCode()),
            "main");
    tests.start();
    tests.join();
    // Daemons of mini clusters that tests left running.
    Runtime.getRuntime().halt(status.get());
  }
}
