// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.mammoth.mapreduce.protocol.EngineProtocol;

/**
 * Where one engine lives: its process, its home, and the way to it. A simulation has its own. Calls
 * may block, and are made with no lock held.
 */
public interface EngineSite {

  /**
   * Makes the home and the process; it need not listen on return. Not called for an engine that an
   * earlier NodeManager left.
   */
  void start() throws IOException;

  /** Its process; 0 while there is none. */
  long pid();

  /** Whether its process runs; false while there is none. */
  boolean isAlive();

  /** Ends the process at once; no-op if there is none. Never blocks. */
  void destroy();

  /** The way to a listening engine; empty while it does not listen. */
  Optional<EngineProtocol> connect() throws IOException, InterruptedException;

  /** Gives up the way; calls under way fail. */
  void disconnect(EngineProtocol engine);

  /**
   * To be told when the process ended before it listened. Not called for an engine that an earlier
   * NodeManager left.
   */
  default void endedWhileStarting() {}

  /** Waits for the end of the process, {@code ms} at most. */
  void awaitExit(long ms) throws InterruptedException;

  /**
   * Notes what tasks in the engine have asked for together, for what the node does to containers of
   * that size. Called often, also with what it was called with before.
   *
   * @param mb MiB
   */
  default void holds(long mb) {}

  /**
   * Name of the file with what it writes to its own output, and the end of it; empty if there is
   * none.
   *
   * @param bytes how much at most
   */
  Map.Entry<String, String> output(int bytes) throws IOException;

  /** Removes the home of a process that has ended; what cannot be removed stays. */
  void clear();
}
