// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The node's NodeManager and what it started, as an upgrade sees and commands them. One thread. */
public interface NodeManager {

  /**
   * A NodeManager that runs.
   *
   * @param pid its process
   * @param release id of the Mammoth release whose jars it started with; empty for stock
   */
  record Running(long pid, Optional<String> release) {}

  /**
   * An engine, or a host of ApplicationMasters.
   *
   * @param pid its process
   * @param name its id, which names user and kind
   * @param residentMb resident memory, MiB
   */
  record Engine(long pid, String name, long residentMb) {}

  /**
   * Waits until a restart that an earlier run began has come to its end.
   *
   * @throws IOException if it does not
   */
  void settle() throws IOException, InterruptedException;

  /** The one that runs, if one does. */
  Optional<Running> running() throws IOException;

  /**
   * Home of the Java that engines need, if they cannot run on the NodeManager's own and the
   * administrator has named none.
   */
  Optional<Path> enginesJava() throws IOException;

  /** Processes of engines of this node, whoever follows them. */
  List<Engine> engines() throws IOException;

  /**
   * Has tasks go to ordinary containers from now on, and engines end with the last task they have.
   * Holds until the NodeManager is restarted.
   *
   * @throws IOException if the NodeManager did not take the order; the message says why
   */
  void switchOff() throws IOException;

  /** Undoes {@link #switchOff}. */
  void switchOn() throws IOException;

  /**
   * Ends processes of engines, at first politely.
   *
   * @return those that are still there
   */
  List<Engine> end(List<Engine> engines) throws IOException, InterruptedException;

  /**
   * How the one that runs was started, or the last one: what has to be kept of it, as text, so that
   * a later run can start another in the same way. Empty if nothing is known.
   */
  String howStarted() throws IOException;

  /**
   * Stops it, if it runs, and starts it. Goes on if the caller dies.
   *
   * @throws IOException if it does not run afterwards; the message has the end of its output
   */
  void restart() throws IOException, InterruptedException;

  /**
   * Why it is not well: it is not running, does not answer, is unhealthy, unknown to the
   * ResourceManager, or has engines on or off other than wanted; empty if it is well.
   *
   * @param withEngines whether Mammoth should be on in it
   */
  Optional<String> complaint(boolean withEngines) throws IOException;

  /**
   * Whether one runs that has nothing of ours, as its class path and its page tell; a page that
   * does not answer tells nothing against it.
   */
  boolean isStock() throws IOException;

  /** Removes what engines left in local directories and logs; only if none runs. */
  void removeLeftovers(Disk disk) throws IOException;

  /** Runs a small job. Returns why it is not content; empty if it is. */
  Optional<String> probe() throws IOException, InterruptedException;

  /** Waits a moment before the next look. */
  void pause() throws InterruptedException;
}
