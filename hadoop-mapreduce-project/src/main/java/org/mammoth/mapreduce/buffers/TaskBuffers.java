// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.buffers;

import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.mapreduce.transfer.EngineShuffle;

/**
 * What one task attempt may use of its engine's memory. All of it ends with the attempt, but what
 * the send buffer holds, which ends with the job.
 */
public interface TaskBuffers {

  /** A task's container, seen by the plug-ins that run inside the task. */
  interface Holder {

    /** The buffers of this task, or null if its engine has none. */
    TaskBuffers buffers();
  }

  /** The buffers of the task the calling thread belongs to, or null outside an engine. */
  static TaskBuffers ofCurrentTask() {
    TaskProcess process = TaskProcess.currentOrNull();
    return process != null && process.listener() instanceof Holder holder ? holder.buffers() : null;
  }

  /**
   * Registers this attempt as a running map; once at most.
   *
   * @param weight of its job among the jobs of the node
   */
  MapBuffers openMap(double weight);

  /**
   * Registers this attempt as a running reduce; once at most.
   *
   * @param weight of its job among the jobs of the node
   */
  ReduceBuffers openReduce(double weight);

  /** Adds this attempt's final output to the send buffer. */
  void publish(MapOutput output);

  /**
   * Offers memory of this attempt for revocation.
   *
   * @param bytes how much could be asked back now
   * @param revoke frees as much as it is asked for, without waiting, and says how much will come
   */
  void revocable(BufferKind kind, LongSupplier bytes, LongUnaryOperator revoke);

  /** Reads and writes the node's local disks in this attempt's name. */
  AttemptFiles files();

  /** Reads this node's blocks of HDFS in the disk's turns; null where they are read as ever. */
  InputReads input();

  /** What jobs leave in memory for those that follow; null where nothing is kept. */
  TaskCache dataCache();

  /** What Mammoth counts of this attempt. */
  OwnCounters counters();

  /** The node's final map outputs. */
  SendBuffer sendBuffer();

  /** The engine's part in the shuffle between nodes, or null where there is none. */
  EngineShuffle shuffle();

  /**
   * Tells how this reduce gets hold of other nodes' output, for the status.
   *
   * @param way asked by any thread
   */
  default void merges(Supplier<String> way) {}

  /** Has {@code action} run when the attempt ends, however it ends. */
  void onEnd(Runnable action);

  /** The application's folders on the node's local disks, where map outputs are. */
  List<String> localDirs();
}
