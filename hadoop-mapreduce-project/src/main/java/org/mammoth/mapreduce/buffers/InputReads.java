// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.buffers;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.Source;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.send.ScheduledInput;

/**
 * How one attempt reads blocks of this node's DataNode in the disk's turns. A task that is killed
 * does not close what it reads; {@link #close} gives its memory back. Any thread.
 */
public final class InputReads implements AutoCloseable {

  /** What a task's readers are given of a block as upstream reads it: many want no more. */
  public static final int HEAD_BYTES = 1 << 20;

  /** While one burst is used up, the next is read. */
  private static final int BURSTS = 2;

  private final IoScheduler io;
  private final InputWindows windows;
  private final String attempt;
  private final int headBytes;
  private final Set<InputWindows.Window> open = ConcurrentHashMap.newKeySet();

  /**
   * @param io must take input
   * @param headBytes as of {@link #headBytes}
   */
  public InputReads(IoScheduler io, InputWindows windows, String attempt, int headBytes) {
    this.io = io;
    this.windows = windows;
    this.attempt = attempt;
    this.headBytes = headBytes;
  }

  /** So many bytes of a block at least, and twice as many at most, are read as upstream does. */
  public int headBytes() {
    return headBytes;
  }

  /** Bytes of one turn. */
  public long burstBytes() {
    return (long) io.inputBurstUnits() * windows.unitBytes();
  }

  /**
   * Begins to read ahead.
   *
   * @param length bytes that the source has
   * @return null if there is no memory for that now, the JVM's own included
   */
  public InputStream open(Source source, long length) throws IOException {
    int units = BURSTS * io.inputBurstUnits();
    InputWindows.Window window = window(units);
    if (window == null) {
      return null;
    }
    open.add(window);
    InputStream stream = new ScheduledInput(io.openInput(source, length, attempt, units, window));
    return new FilterInputStream(stream) {
      @Override
      public void close() throws IOException {
        super.close();
        window.close();
        open.remove(window);
      }
    };
  }

  private InputWindows.Window window(int units) {
    try {
      return windows.open(units);
    } catch (OutOfMemoryError e) {
      // The ledger has room that the JVM does not have; whoever reads has not asked for memory.
      return null;
    }
  }

  /** The attempt has ended: what it lent comes back as soon as the disk lets go of it. */
  @Override
  public void close() {
    open.forEach(InputWindows.Window::close);
    open.clear();
  }
}
