package org.mammoth.mapreduce.buffers;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.Source;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.send.ScheduledInput;

/** How one attempt reads blocks of this node's DataNode in the disk's turns. Any thread. */
public final class InputReads {

  /** While one burst is used up, the next is read. */
  private static final int BURSTS = 2;

  private final IoScheduler io;
  private final InputWindows windows;
  private final String attempt;

  /**
   * @param io must take input
   */
  public InputReads(IoScheduler io, InputWindows windows, String attempt) {
    this.io = io;
    this.windows = windows;
    this.attempt = attempt;
  }

  /** Bytes of one turn. */
  public long burstBytes() {
    return (long) io.inputBurstUnits() * windows.unitBytes();
  }

  /**
   * Begins to read ahead.
   *
   * @param length bytes that the source has
   * @return null if there is no memory for that now
   */
  public InputStream open(Source source, long length) throws IOException {
    int units = BURSTS * io.inputBurstUnits();
    InputWindows.Window window = windows.open(units);
    if (window == null) {
      return null;
    }
    InputStream stream = new ScheduledInput(io.openInput(source, length, attempt, units, window));
    return new FilterInputStream(stream) {
      @Override
      public void close() throws IOException {
        super.close();
        window.close();
      }
    };
  }
}
