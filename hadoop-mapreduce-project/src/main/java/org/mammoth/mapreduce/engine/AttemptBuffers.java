package org.mammoth.mapreduce.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.engine.sort.ElementSource;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt's part of the node's memory, freed when the attempt's last thread is gone. */
final class AttemptBuffers implements TaskBuffers, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AttemptBuffers.class);

  private final NodeMemory memory;
  private final List<String> localDirs;
  private final Deque<Runnable> atEnd = new ArrayDeque<>();

  AttemptBuffers(NodeMemory memory, List<String> localDirs) {
    this.memory = memory;
    this.localDirs = localDirs;
  }

  @Override
  public ElementSource elements() {
    return memory.elements();
  }

  @Override
  public int slabBytes() {
    return 1 << 20;
  }

  @Override
  public UnitSource sort() {
    return memory.units();
  }

  @Override
  public UnitSource send() {
    return memory.units();
  }

  @Override
  public UnitSource receive() {
    return memory.units();
  }

  @Override
  public SendBuffer sendBuffer() {
    return memory.sendBuffer;
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
        LOG.error("Freeing buffers", e);
      }
    }
  }
}
