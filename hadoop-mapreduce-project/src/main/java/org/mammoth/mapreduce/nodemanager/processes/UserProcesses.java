// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.processes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a NodeManager does as one of its users, of whom it is none itself. Each call runs another
 * program and waits for it. Any thread, with no lock held.
 */
public interface UserProcesses {

  /**
   * What the control groups of a process are made for, where containers have such groups.
   *
   * @param memoryMb the most it may hold, MiB
   * @param vcores how it weighs against containers, and where those are limited the most it may use
   */
  record Size(long memoryMb, int vcores) {}

  /**
   * A process of a user that is not a container of YARN's, though it is launched as one.
   *
   * @param user as YARN knows them
   * @param application an id that no ResourceManager gives out
   * @param container of that application
   * @param workDir its folder, made by the launch; in one of {@link #localDirs}
   * @param script what it runs, a file of the NodeManager's
   * @param credentials a file of the NodeManager's, of which the user gets a copy
   * @param pidFile where the NodeManager finds the process's number; beside it, with {@code
   *     .exitcode} at its end, lies how it ended
   * @param size of its control groups
   */
  record Launch(
      String user,
      String application,
      String container,
      Path workDir,
      Path script,
      Path credentials,
      Path pidFile,
      Size size) {}

  /** The local directories that can be used now, best first; all while that is not known yet. */
  List<Path> localDirs();

  /** The same for log directories. */
  List<Path> logDirs();

  /**
   * Starts a process and waits for its end, however long it takes.
   *
   * @throws IOException if it was not started, or did not end with 0; the message says why
   */
  void run(Launch launch) throws IOException;

  /** Whether processes are in control groups of their own that limit their memory. */
  default boolean limitsMemory() {
    return false;
  }

  /**
   * Gives a process's control groups another size; no-op where there are none.
   *
   * @param container of its launch
   */
  default void resize(String container, Size size) throws IOException {}

  /**
   * Removes the control groups of a process that has ended; no-op where there are none.
   *
   * @param container of its launch
   */
  default void leaveGroups(String container) {}

  /**
   * Signals all processes of a session.
   *
   * @param signal its number; 0 only asks whether there are any
   * @return false if there is none, or none of the user's
   */
  boolean signal(String user, long pid, int signal) throws IOException;

  /**
   * Removes folders and all that is in them; what cannot be removed stays and is logged.
   *
   * @param folders of one name, in folders of the user's
   * @param logs in log directories
   */
  void delete(String user, List<Path> folders, List<Path> logs);
}
