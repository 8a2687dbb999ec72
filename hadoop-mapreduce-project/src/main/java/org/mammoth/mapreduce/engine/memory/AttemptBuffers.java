// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.ElementShare;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.memory.ReduceMemory;
import org.mammoth.engine.memory.Revocable;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.mapreduce.buffers.AttemptFiles;
import org.mammoth.mapreduce.buffers.InputReads;
import org.mammoth.mapreduce.buffers.MapBuffers;
import org.mammoth.mapreduce.buffers.OwnCounters;
import org.mammoth.mapreduce.buffers.ReduceBuffers;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.mammoth.mapreduce.buffers.TaskCache;
import org.mammoth.mapreduce.transfer.EngineShuffle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt's part of the node's memory, freed when the attempt's last thread is gone. */
public final class AttemptBuffers implements TaskBuffers, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AttemptBuffers.class);

  private final NodeMemory memory;
  private final LeaseOwner owner;
  private final List<String> localDirs;
  private final AttemptFiles files;
  private final OwnCounters counters = new OwnCounters();

  /** Null where input is read as ever. */
  private final InputReads input;

  /** Null where nothing is kept. */
  private final TaskCache dataCache;

  @GuardedBy("this")
  private final Deque<Runnable> atEnd = new ArrayDeque<>();

  private volatile Supplier<String> merge = () -> "";

  AttemptBuffers(NodeMemory memory, LeaseOwner owner, List<String> localDirs) {
    this.memory = memory;
    this.owner = owner;
    this.localDirs = localDirs;
    this.files = new AttemptFiles(memory.io(), owner.attempt(), memory.localized(), localDirs);
    if (memory.io().takesInput()) {
      input =
          new InputReads(
              memory.io(), memory.inputWindows(), owner.attempt(), InputReads.HEAD_BYTES);
      onEnd(input::close);
    } else {
      input = null;
    }
    if (memory.dataCache() == null) {
      dataCache = null;
    } else {
      dataCache = new TaskCache(memory.dataCache(), owner.job());
      onEnd(dataCache::close);
    }
    onEnd(files::abortAll);
  }

  @Override
  public MapBuffers openMap(double weight) {
    MapMemory map = memory.scheduler().registerMap(owner, weight);
    onEnd(map::close);
    ElementShare share = memory.elements().open(owner);
    onEnd(share::close);
    return new MapBuffers(
        new LentElements(share), memory.sizing().elementBytes(), map.sort(), map.send());
  }

  @Override
  public ReduceBuffers openReduce(double weight) {
    ReduceMemory reduce = memory.scheduler().registerReduce(owner, weight);
    onEnd(reduce::close);
    return new ReduceBuffers(reduce.receive(), reduce::desire);
  }

  @Override
  public void merges(Supplier<String> way) {
    merge = way;
  }

  /**
   * How the attempt gets hold of other nodes' output; empty if it is no reduce, or has not begun.
   */
  public String merge() {
    return merge.get();
  }

  @Override
  public void publish(MapOutput output) {
    memory.sendBuffer().publish(output);
    EngineShuffle shuffle = memory.shuffle();
    if (output.heldBytes() > 0) {
      if (shuffle != null) {
        shuffle.published(output);
      }
      revocable(BufferKind.SEND, output::untakenBytes, wanted -> drop(output, wanted));
    }
  }

  /** What reduces have taken over is theirs; what is left of the output is no longer pushed. */
  private long drop(MapOutput output, long wanted) {
    if (memory.shuffle() != null) {
      memory.shuffle().withdrawn(output);
    }
    return output.drop(wanted);
  }

  @Override
  public void revocable(BufferKind kind, LongSupplier bytes, LongUnaryOperator revoke) {
    memory
        .scheduler()
        .register(
            new Revocable() {
              @Override
              public BufferKind kind() {
                return kind;
              }

              @Override
              public LeaseOwner owner() {
                return owner;
              }

              @Override
              public long revocableBytes() {
                return bytes.getAsLong();
              }

              @Override
              public long revoke(long wanted) {
                return revoke.applyAsLong(wanted);
              }
            });
  }

  @Override
  public AttemptFiles files() {
    return files;
  }

  @Override
  public InputReads input() {
    return input;
  }

  @Override
  public TaskCache dataCache() {
    return dataCache;
  }

  @Override
  public OwnCounters counters() {
    return counters;
  }

  @Override
  public SendBuffer sendBuffer() {
    return memory.sendBuffer();
  }

  @Override
  public EngineShuffle shuffle() {
    return memory.shuffle();
  }

  @Override
  public List<String> localDirs() {
    return localDirs;
  }

  @Override
  public synchronized void onEnd(Runnable action) {
    atEnd.push(action);
  }

  /** Frees everything, last registered first. */
  @Override
  public synchronized void close() {
    while (!atEnd.isEmpty()) {
      try {
        atEnd.pop().run();
      } catch (RuntimeException e) {
        LOG.error("Freeing the buffers of {}", owner, e);
      }
    }
  }
}
