// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.util.function.Consumer;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.client.ShuffleClient;
import org.mammoth.mapreduce.transfer.PeerDirectory;

/**
 * How one reduce attempt reaches other nodes.
 *
 * @param job id of its job
 * @param partition which partition it reduces
 * @param attempt id of the reduce attempt
 * @param client the engine's
 * @param clock for pauses
 * @param peers where the engines of other nodes are
 * @param hints told of map attempts that have ended on other nodes, before their events; any thread
 * @param inbox what the reduce's thread has to do
 * @param options how much at once
 */
record RemoteLink(
    String job,
    int partition,
    String attempt,
    ShuffleClient client,
    Scheduler clock,
    PeerDirectory peers,
    Consumer<String> hints,
    Inbox inbox,
    Options options) {

  /**
   * Choices of job and node.
   *
   * @param push whether other nodes may push
   * @param pulls segments fetched at once
   * @param windowBytes bytes of one stream under way
   * @param pauseMs before the first repetition of what failed; doubled with each
   * @param stallMs after which a node that pushes nothing is asked instead
   * @param busyMs how long a busy node is asked again
   */
  record Options(
      boolean push, int pulls, long windowBytes, long pauseMs, long stallMs, long busyMs) {}

  SegmentKey key(String mapAttempt) {
    return new SegmentKey(job, mapAttempt, partition);
  }
}
