// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.List;

/**
 * One engine at one moment: what its tasks, its memory and its disks do. The JSON of it is part of
 * the product, see docs/engine-json.md.
 *
 * @param version {@link StatusJson#VERSION} of the engine that made it
 * @param engineId the engine's name, new with each process
 * @param user whose tasks it runs
 * @param pid its process
 * @param atMs when this was taken, ms since 1970
 * @param startedMs when the engine started, ms since 1970
 * @param draining why it takes no more tasks, empty while it does
 * @param counts tasks since the engine started
 * @param jvm what the JVM and the kernel say
 * @param memory null in an engine that runs ApplicationMasters
 * @param elements null in an engine that runs ApplicationMasters
 * @param send null in an engine that runs ApplicationMasters
 * @param dataCache null where nothing is kept for jobs to come
 * @param disks empty in an engine that runs ApplicationMasters
 * @param tasks what runs
 */
public record EngineSnapshot(
    int version,
    String engineId,
    String user,
    long pid,
    long atMs,
    long startedMs,
    String draining,
    Counts counts,
    Jvm jvm,
    MemoryUse memory,
    ElementUse elements,
    SendUse send,
    DataCacheUse dataCache,
    List<DiskUse> disks,
    List<Task> tasks) {

  public EngineSnapshot {
    disks = StatusJson.orEmpty(disks);
    tasks = StatusJson.orEmpty(tasks);
  }

  /**
   * Containers of an engine since it started.
   *
   * @param running now
   * @param started ever
   * @param finished ended by themselves and well
   * @param killed ended by a signal
   * @param failed ended by themselves and badly
   * @param aborted ended by the engine, to be run again
   * @param lingering ended, with threads that still run
   */
  public record Counts(
      int running,
      long started,
      long finished,
      long killed,
      long failed,
      long aborted,
      int lingering) {}

  /**
   * The engine's process.
   *
   * @param heapUsedBytes with garbage
   * @param heapCommittedBytes reserved by the JVM
   * @param heapMaxBytes its limit
   * @param directBytes in direct buffers of the JVM, the cache pool among them
   * @param residentBytes RSS, 0 where the kernel does not tell
   * @param metaspaceBytes of classes
   * @param gcCount collections since the engine started
   * @param gcMs time they took
   * @param threads live
   * @param loadedClasses now
   */
  public record Jvm(
      long heapUsedBytes,
      long heapCommittedBytes,
      long heapMaxBytes,
      long directBytes,
      long residentBytes,
      long metaspaceBytes,
      long gcCount,
      long gcMs,
      int threads,
      int loadedClasses) {}

  /**
   * One container that runs.
   *
   * @param attempt the task attempt, or the name of what else runs there
   * @param job its job, empty if it has none
   * @param user whose it is
   * @param container its id
   * @param phase STARTING, MAP, SHUFFLE, SORT, REDUCE, CLEANUP or ENDING of a task, else RUNNING
   * @param memoryMb what YARN gave it
   * @param sinceMs when it came into the engine, ms since 1970
   * @param merge how a reduce gets hold of other nodes' output: as mammoth.shuffle.merge has it
   *     and, where that is another way, what it came to; empty of what is no reduce, or has not
   *     begun
   * @param programs how many programs it has started and has running, as it last counted them,
   *     every three seconds
   * @param programBytes what they and those below them have resident
   */
  public record Task(
      String attempt,
      String job,
      String user,
      String container,
      String phase,
      long memoryMb,
      long sinceMs,
      String merge,
      int programs,
      long programBytes) {}
}
