package org.mammoth.mapreduce.shuffle;

import java.util.function.IntUnaryOperator;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.client.ShuffleClient;

/**
 * How one reduce attempt reaches other nodes.
 *
 * @param job id of its job
 * @param partition which partition it reduces
 * @param attempt id of the reduce attempt
 * @param client the engine's
 * @param clock for pauses
 * @param askedAt the port on which a node is asked for its engine, by the port of its stock shuffle
 * @param inbox what the reduce's thread has to do
 * @param options how much at once
 */
record RemoteLink(
    String job,
    int partition,
    String attempt,
    ShuffleClient client,
    Scheduler clock,
    IntUnaryOperator askedAt,
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
   */
  record Options(boolean push, int pulls, long windowBytes, long pauseMs, long stallMs) {}

  SegmentKey key(String mapAttempt) {
    return new SegmentKey(job, mapAttempt, partition);
  }
}
