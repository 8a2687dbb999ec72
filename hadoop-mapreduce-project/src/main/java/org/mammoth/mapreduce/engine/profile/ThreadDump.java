// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.profile;

import java.io.PrintStream;
import org.mammoth.engine.isolation.TaskProcess;

/** What a process writes to its standard output when it gets a SIGQUIT. Stateless, thread-safe. */
public final class ThreadDump {

  private ThreadDump() {}

  /** Writes the stacks of a task's threads to the task's standard output. */
  public static void write(TaskProcess task) {
    PrintStream out = task.stdout();
    synchronized (out) {
      out.println("Full thread dump of " + task.name() + ":");
      for (Thread thread : task.liveThreads()) {
        out.println("\"" + thread.getName() + "\" " + thread.getState());
        for (StackTraceElement frame : thread.getStackTrace()) {
          out.println("\tat " + frame);
        }
        out.println();
      }
      out.flush();
    }
  }
}
