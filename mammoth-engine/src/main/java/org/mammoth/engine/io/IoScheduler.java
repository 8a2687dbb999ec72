// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.mammoth.api.status.DiskUse;
import org.mammoth.engine.memory.UnitSource;

/**
 * All reading and writing of a node's local disks (Mammoth paper, Shi et al. 2015, §5). A file goes
 * to the disk of the configured local directory it lies in; directories of one disk share its
 * threads and turns. {@link IoClass} says in which order files are served, {@code
 * mammoth.io.aging.*} that none starves.
 *
 * <p>Nobody waits without end for a disk: errors end the file and reach its owner, a disk that does
 * not answer within {@code mammoth.io.stall.timeout-ms} fails its files; a DataNode is no disk. For
 * a file that nobody is waiting in, {@link #tick} is what notices that.
 *
 * <p>Safe for any thread.
 */
public final class IoScheduler implements AutoCloseable {

  /** Disk of files outside all configured directories. */
  private static final String OTHER = "other";

  private final List<Path> dirs;
  private final Map<Path, DiskQueue> diskQueueOfDir = new LinkedHashMap<>();
  private final Map<String, DiskQueue> diskQueues = new LinkedHashMap<>();
  private final Map<DiskQueue, Executor> executors = new LinkedHashMap<>();
  private final DiskExecutors threads;
  private final IoCharge charge;
  private final LongSupplier clock;
  private final DiskHealth health;
  private final DiskQueue inputArm;

  IoScheduler(IoSchedulerBuilder parts) {
    this.threads = parts.executors;
    this.charge = parts.charge;
    this.clock = parts.clock;
    this.dirs =
        parts.dirs.stream().map(dir -> dir.toAbsolutePath().normalize()).distinct().toList();
    this.health =
        new DiskHealth(dirs, parts.settings.outage(), parts.probe, parts.clock, parts.listener);
    DiskQueue.Faults faults =
        new DiskQueue.Faults() {
          @Override
          public void failed(Path file, IoDirection direction, Throwable error) {
            IoScheduler.this.failed(file, direction, error);
          }

          @Override
          public void hung(String disk, String reason) {
            diskQueueOfDir.forEach(
                (dir, diskQueue) -> {
                  if (diskQueue.disk().equals(disk)) {
                    health.failed(dir, DiskHealth.State.QUARANTINED, reason);
                  }
                });
          }
        };
    Set<String> spinning = new HashSet<>();
    for (Path dir : dirs) {
      if (parts.spinning.test(dir)) {
        spinning.add(diskOf(parts.disks, dir));
      }
    }
    for (Path dir : dirs) {
      String disk = diskOf(parts.disks, dir);
      boolean spins = spinning.contains(disk);
      diskQueueOfDir.put(
          dir, diskQueues.computeIfAbsent(disk, d -> diskQueue(d, spins, parts, faults)));
    }
    diskQueues.computeIfAbsent(OTHER, d -> diskQueue(d, false, parts, faults));
    inputArm = inputArm(parts);
  }

  /** The disk that input waits for; null unless all of it lies on one disk of ours that spins. */
  private DiskQueue inputArm(IoSchedulerBuilder parts) {
    Set<String> disks = new HashSet<>();
    parts.inputDirs.forEach(dir -> disks.add(diskOf(parts.disks, dir)));
    DiskQueue diskQueue = disks.size() == 1 ? diskQueues.get(disks.iterator().next()) : null;
    return diskQueue != null && diskQueue.spinning() ? diskQueue : null;
  }

  /**
   * Starts the making of a scheduler.
   *
   * @param dirs local directories, such as the values of {@code yarn.nodemanager.local-dirs}
   */
  public static IoSchedulerBuilder builder(IoSettings settings, List<Path> dirs) {
    return new IoSchedulerBuilder(settings, dirs);
  }

  private DiskQueue diskQueue(
      String disk, boolean spinning, IoSchedulerBuilder parts, DiskQueue.Faults faults) {
    Executor executor = threads.forDisk(disk, parts.settings.threadsPerDisk());
    DiskQueue diskQueue =
        new DiskQueue(
            disk, spinning, parts.settings, executor, threads.forInput(), parts.clock, faults);
    executors.put(diskQueue, executor);
    return diskQueue;
  }

  private static String diskOf(DiskDetector disks, Path dir) {
    try {
      return disks.diskOf(dir);
    } catch (IOException e) {
      return dir.toString();
    }
  }

  /** Takes note of an error of a disk, also of one that its file could do without. */
  public void failed(Path file, IoDirection direction, Throwable error) {
    Path dir = dirOf(file);
    if (dir == null) {
      return;
    }
    switch (DiskFault.of(error, direction)) {
      case FULL:
        health.failed(dir, DiskHealth.State.FULL, error.toString());
        break;
      case BROKEN:
        health.failed(dir, DiskHealth.State.QUARANTINED, error.toString());
        break;
      case SUSPECT:
        health.suspect(dir, error.toString());
        break;
      case NONE:
      default:
        break;
    }
  }

  /** The innermost configured directory that holds a file, or null. */
  private Path dirOf(Path file) {
    Path path = file.toAbsolutePath().normalize();
    Path innermost = null;
    for (Path dir : dirs) {
      if (path.startsWith(dir)
          && (innermost == null || dir.getNameCount() > innermost.getNameCount())) {
        innermost = dir;
      }
    }
    return innermost;
  }

  private DiskQueue diskQueueOf(Path dir) {
    return dir == null ? diskQueues.get(OTHER) : diskQueueOfDir.get(dir);
  }

  /**
   * Begins a file. The target is opened at the file's first turn.
   *
   * @param owner task attempt that the file belongs to, see {@link #abortAll}
   * @throws IOException if its directory is left out or the scheduler was closed; the target was
   *     not touched
   */
  public WriteStream openWrite(Target target, IoClass ioClass, String owner) throws IOException {
    probeDue();
    Path dir = dirOf(target.path());
    if (dir != null) {
      health.require(dir);
    }
    DiskQueue diskQueue = diskQueueOf(dir);
    WriteStream stream = new WriteStream(diskQueue, target, ioClass, owner, charge);
    diskQueue.attach(stream);
    return stream;
  }

  /**
   * Begins to read a range ahead of its consumer. A directory that is left out may be read.
   *
   * @param length bytes to read; a file that ends before is an error
   * @param owner task attempt that reads, see {@link #abortAll}
   * @param readAheadUnits most buffers filled and not consumed, at least 1
   * @param units where buffers come from if it has some at once, asked by the disk's thread; may be
   *     null
   * @throws IOException if the scheduler was closed; the source was not touched
   */
  public ReadStream openRead(
      Source source,
      long offset,
      long length,
      IoClass ioClass,
      String owner,
      int readAheadUnits,
      UnitSource units)
      throws IOException {
    return openRead(
        source, offset, length, ioClass, owner, readAheadUnits, units, Integer.MAX_VALUE);
  }

  /**
   * As the other, for one of very many that are read at the same time.
   *
   * @param arrayBytes of each of the two arrays that serve where there are no units, at least 1;
   *     not more than mammoth.io.read-buffer-kb
   */
  public ReadStream openRead(
      Source source,
      long offset,
      long length,
      IoClass ioClass,
      String owner,
      int readAheadUnits,
      UnitSource units,
      int arrayBytes)
      throws IOException {
    DiskQueue diskQueue = diskQueueOf(dirOf(source.path()));
    int array = Math.min(arrayBytes, diskQueue.settings().readBufferBytes());
    ReadStream stream =
        new ReadStream(
            diskQueue,
            source,
            false,
            offset,
            length,
            ioClass,
            owner,
            new ReadStream.Ahead(readAheadUnits, units, array),
            charge);
    diskQueue.attach(stream);
    return stream;
  }

  /**
   * Reads ranges of files on behalf of many, see {@link RangeReads}.
   *
   * @param owner in whose name, for the charge
   */
  public RangeReads openRanges(RangeSettings settings, String owner) {
    return new RangeReads(this, settings, owner, charge, clock);
  }

  DiskQueue diskQueueOfFile(Path file) {
    return diskQueueOf(dirOf(file));
  }

  /** Takes on a queue; one that comes too late fails what is put into it. */
  static void attach(DiskQueue diskQueue, RangeQueue queue) {
    try {
      diskQueue.attach(queue);
    } catch (IOException e) {
      queue.refuse(e);
    }
  }

  /**
   * Whether reading blocks of this node's DataNode in turns makes sense: they lie on one disk,
   * which spins, and local files lie there too.
   */
  public boolean takesInput() {
    return inputArm != null;
  }

  /** Most units that one turn of a file of this directory's disk moves. */
  public int burstUnits(Path file) {
    return diskQueueOf(dirOf(file)).burstUnits();
  }

  /** Most units that one turn of input moves. */
  public int inputBurstUnits() {
    return inputArm.burstUnits();
  }

  /**
   * Begins to read a block of this node's DataNode, as {@link #openRead} does a local file: the
   * disk that both lie on serves one of them at a time (Mammoth paper, Shi et al. 2015, §5.1: input
   * is active I/O). A DataNode that says nothing keeps the others waiting for a few seconds, no
   * more: from then on until it answers, its blocks are read beside the turns. How long its silence
   * lasts until it is an error, is for the source to say. Only if {@link #takesInput}.
   *
   * @param source need not be a local file; its errors are no errors of a local directory as long
   *     as its path is in none
   */
  public ReadStream openInput(
      Source source, long length, String owner, int readAheadUnits, UnitSource units)
      throws IOException {
    ReadStream stream =
        new ReadStream(
            inputArm,
            source,
            true,
            0,
            length,
            IoClass.ACTIVE,
            owner,
            new ReadStream.Ahead(readAheadUnits, units, inputArm.settings().readBufferBytes()),
            charge);
    inputArm.attach(stream);
    return stream;
  }

  /** Aborts all writing and closes all reading of one owner; returns how many files that were. */
  public int abortAll(String owner) {
    return diskQueues.values().stream().mapToInt(diskQueue -> diskQueue.abort(owner)).sum();
  }

  /** The configured local directories that may be used now, in their order; does no I/O. */
  public List<Path> healthyDirs() {
    probeDue();
    return Collections.unmodifiableList(health.healthy());
  }

  /**
   * Looks for disks that hang, has directories tried that are due, sends spinning disks for what
   * has waited long for a burst, and ends the turns of a DataNode that is silent. Call about each
   * second.
   */
  public void tick() {
    diskQueues.values().forEach(DiskQueue::checkHung);
    diskQueues.values().forEach(DiskQueue::wake);
    probeDue();
  }

  private void probeDue() {
    for (Path dir : health.due()) {
      try {
        executors.get(diskQueueOfDir.get(dir)).execute(() -> health.probe(dir));
      } catch (RejectedExecutionException e) {
        health.failed(dir, DiskHealth.State.QUARANTINED, "the scheduler was closed");
      } catch (OutOfMemoryError e) {
        health.failed(dir, DiskHealth.State.QUARANTINED, "it could not be probed: " + e);
      }
    }
  }

  /** How all disks stand; does not stop anyone. */
  public List<DiskUse> snapshot() {
    List<DiskUse> disks = new ArrayList<>();
    for (DiskQueue diskQueue : diskQueues.values()) {
      List<DiskUse.Dir> ofDisk = new ArrayList<>();
      diskQueueOfDir.forEach(
          (dir, its) -> {
            if (its == diskQueue) {
              ofDisk.add(health.snapshot(dir));
            }
          });
      disks.add(diskQueue.snapshot(ofDisk));
    }
    return disks;
  }

  /** Fails all files that are open, takes no new ones and lets the threads end. */
  @Override
  public void close() {
    IOException cause = new IOException("the I/O scheduler was closed");
    diskQueues.values().forEach(diskQueue -> diskQueue.close(cause));
    threads.close();
  }
}
