// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.io.IOException;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RemoteException;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Precedes;

/**
 * What rewritten code calls before it reaches other machines by Hadoop: a thread whose process has
 * ended gets no further. Its file systems are closed, yet its handlers may ask for new ones, or
 * have some that nobody can close. Stateless, thread-safe.
 */
public final class OutsideCalls {
  private OutsideCalls() {}

  /**
   * Before each call of Hadoop's remote procedures. Ends as one that its server refuses, since what
   * else goes wrong is tried again and again, on other servers too.
   */
  @Precedes(value = Client.class, names = "createCall")
  public static void remote() throws RemoteException {
    try {
      Owners.checkGoesOn();
    } catch (TaskExit ended) {
      throw new RemoteException(IOException.class.getName(), ended.getMessage());
    }
  }

  /** Before a file system is made, for a cache or for whoever wants his own. */
  @Precedes(value = FileSystem.class, names = "createFileSystem")
  public static void fileSystem() {
    Owners.checkGoesOn();
  }

  /** Before one of the other kind is made. */
  @Precedes(value = AbstractFileSystem.class, names = "createFileSystem")
  public static void abstractFileSystem() {
    Owners.checkGoesOn();
  }

  /**
   * At the beginning of a method by which a stream of Hadoop's changes. A thread that unwinds
   * leaves the stream as it is, whole, for the hook that closes what the process has open.
   */
  public static void changing() {
    TaskProcess process = TaskProcess.currentOrNull();
    if (process != null) {
      process.checkStands();
    }
  }
}
