// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.mammoth.engine.isolation.TaskProcess;

/** What runs in a hosted container in place of a Java process's main class. */
public interface ContainerProgram {

  /** Makes the program of a container. */
  interface Factory {
    ContainerProgram create(HostedContainer container, TaskProcess process);

    /**
     * Why the engine cannot host the container now, empty if it can; asked once, and when empty the
     * container is hosted.
     */
    default Optional<String> reasonAgainst(HostedContainer container) {
      return Optional.empty();
    }

    /** The end of a hosted container has been reported. */
    default void ended(HostedContainer container) {}

    /** What the container is called in logs and in the status: a task attempt, as a rule. */
    String nameOf(HostedContainer container);

    /** The id of the job the container works for, empty if it works for none. */
    default String jobOf(HostedContainer container) {
      return "";
    }

    /** Whether the container runs a reduce. */
    default boolean isReduce(HostedContainer container) {
      return false;
    }
  }

  /**
   * Runs to the end, on the container's main thread.
   *
   * @return the exit status its process would have
   */
  int run() throws IOException, InterruptedException;

  /**
   * Whether its process ends as a JVM does by itself, with its last thread that is no daemon, once
   * {@link #run} has returned; if not, it ends with that.
   */
  default boolean endsWithItsThreads() {
    return true;
  }

  /** What it is doing, for the console. */
  default String phase() {
    return "RUNNING";
  }

  /** Asks the program to end, as a termination signal would; called on its warden, may block. */
  default void terminate() {}

  /** From now on nothing of the program may reach the outside. */
  void fence();

  /**
   * Whether {@link #fence} keeps all of it from the outside, so that a kill need not wait for
   * threads that do not listen.
   */
  default boolean isConfinedByFence() {
    return false;
  }

  /** Reports an Error that ended the program to whoever waits for its result. */
  void reportFatal(Throwable error);

  /** The exit status of its process after such an Error. */
  default int fatalStatus() {
    return 0;
  }

  /** Closes every file the program left open in Hadoop's file systems; on any thread. */
  void closeFileSystems();

  /** Gives back connections and class loader; after the program's last thread has ended. */
  void close();

  /** Programs of MapReduce tasks. */
  final class Tasks implements Factory {

    private final TaskSurroundings shared;

    public Tasks(TaskSurroundings shared) {
      this.shared = shared;
    }

    @Override
    public Optional<String> reasonAgainst(HostedContainer container) {
      return shared.memory().heap().reasonAgainst(container.promisedBytes());
    }

    private static TaskAttemptID attemptOf(HostedContainer container) {
      return TaskAttemptID.forName(container.spec().arguments().get(2));
    }

    @Override
    public ContainerProgram create(HostedContainer container, TaskProcess process) {
      return new TaskProgram(container, attemptOf(container), process, shared);
    }

    @Override
    public String nameOf(HostedContainer container) {
      return attemptOf(container).toString();
    }

    @Override
    public String jobOf(HostedContainer container) {
      return attemptOf(container).getJobID().toString();
    }

    @Override
    public boolean isReduce(HostedContainer container) {
      return attemptOf(container).getTaskType() == TaskType.REDUCE;
    }
  }
}
