// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.TokenInfo;

/**
 * What a NodeManager says to an engine. Hadoop RPC on the loopback interface; the caller proves
 * itself with the token that the supervisor wrote for this one engine.
 *
 * <p>Calls of a lost connection are repeated by the caller, so each may arrive twice.
 */
@TokenInfo(EngineTokenSelector.class)
public interface EngineProtocol {

  /** Version of this interface. */
  long versionID = 1L;

  /** Begins the answer of an engine that takes no containers any more; the reason follows. */
  String DRAINING = "it is draining: ";

  /**
   * Starts a container's program as a thread group.
   *
   * @return empty when it was started (or had been, by an earlier arrival of this call), else why
   *     the engine declines, which begins with {@link #DRAINING} if it declines all; nothing was
   *     started then
   */
  String launch(ContainerLaunchSpec spec) throws IOException;

  /**
   * The same for an engine that runs as its user, where the NodeManager may not read the user's
   * files: the engine decides from the job's configuration and jars whether it can host it, and
   * makes the container's folders, links and credentials file. What it declines it leaves as if it
   * had not been asked.
   *
   * @param spec without class path, and without {@code java.class.path} among its properties
   * @return empty when it was started, {@link UserLaunch#OPTED_OUT} if the job asks to run as on
   *     stock Hadoop, else why the engine declines
   */
  String launchAsUser(ContainerLaunchSpec spec, UserLaunch launch) throws IOException;

  /**
   * Gives a container up whose launch was not answered in time, unless the engine has it: a launch
   * that arrives later is declined.
   *
   * @return true if the engine has taken it, so that it runs or has ended, and its end is reported
   *     as ever; false if it has not and never will
   */
  boolean withdraw(String containerId) throws IOException;

  /**
   * Delivers what a process would get as a signal: 15 asks the program to end, 9 ends it, 3 writes
   * its stack traces to its stdout.
   *
   * @return whether the container is known and still running
   */
  boolean signal(String containerId, int signal) throws IOException;

  /**
   * Reports ended containers and the engine's state. Returns at once when there is an ended
   * container, else when one ends or the time is over. An end is reported until acknowledged.
   *
   * @param acknowledged containers whose end the caller has stored
   * @param waitMs longest time to wait, ms
   */
  EngineReport poll(String[] acknowledged, long waitMs) throws IOException;

  /**
   * All that the engine knows about its tasks, memory and disks at this moment.
   *
   * @return an {@link org.mammoth.api.status.EngineSnapshot} as JSON
   */
  Text snapshot() throws IOException;

  /**
   * A part of the log of memory decisions.
   *
   * @param from number of the first that is wanted, or less than 0 for the latest
   * @param atMost how many at most, the oldest first; the engine has a bound of its own
   * @return {@link org.mammoth.api.status.EngineDecisions} as JSON
   */
  Text decisions(long from, int atMost) throws IOException;

  /**
   * Lends a part of the cache pool only, from now on: other users are at work on the node too. What
   * running maps are guaranteed stays theirs.
   *
   * @param part above 0 and up to 1, all of it
   */
  void limitPool(double part) throws IOException;

  /**
   * A job is over on this node, says YARN: the engine forgets its secret and its map outputs. Does
   * nothing if it knows no such job.
   *
   * @param job its id, as in {@code job_1_0001}
   */
  void jobEnded(String job) throws IOException;

  /**
   * Forgets files of HDFS that are kept in memory for jobs to come.
   *
   * @param path of a file, or of a folder of files
   * @return bytes of the files that were in memory
   */
  long dropCached(String path) throws IOException;

  /**
   * Begins to sample what threads run and allocate, or tells what was sampled; returns at once.
   *
   * @param seconds how long; 0 begins nothing
   * @return JSON: {@code state} is none, running or done, with the stacks of the last recording
   * @throws IOException if this engine's Java cannot, or it is too long
   */
  Text profile(int seconds) throws IOException;

  /**
   * Takes no more containers; the process ends when the running ones have.
   *
   * @param reason for the log and the console
   */
  void drain(String reason) throws IOException;
}
