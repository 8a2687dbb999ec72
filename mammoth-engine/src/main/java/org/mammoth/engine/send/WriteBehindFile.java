// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.mammoth.engine.io.BlockSums;
import org.mammoth.engine.io.WriteStream;
import org.mammoth.engine.io.Written;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.UnitSource;

/**
 * A file written behind its producer by the I/O scheduler (Mammoth paper, Shi et al. 2015, §3.3):
 * its bytes gather in units of the cache pool, go to disk from there, and stay there as long as the
 * pool lends units. When it lends no more, what is kept is given back as soon as it is on disk, and
 * the rest goes by arrays.
 *
 * <p>One thread at a time.
 */
public final class WriteBehindFile extends OutputStream {

  private static final int ARRAY_BYTES = 1 << 20;

  private final WriteStream stream;
  private final UnitSource units;
  private final List<Kept> kept = new ArrayList<>();
  private final ConcurrentLinkedQueue<byte[]> spare = new ConcurrentLinkedQueue<>();
  private boolean keeping;
  private CacheUnit unit;
  private byte[] array;
  private int filled;
  private long length;
  private boolean finished;
  private BlockSums sums;

  /**
   * A file at its beginning.
   *
   * @param stream to the disk; ended with this
   * @param units to keep the bytes in; null keeps none
   */
  public WriteBehindFile(WriteStream stream, UnitSource units) {
    this.stream = stream;
    this.units = units;
    this.keeping = units != null;
  }

  /** A unit that is on its way to disk, or there. */
  private static final class Kept {
    private final CacheUnit unit;
    private boolean written;
    private boolean dropped;

    Kept(CacheUnit unit) {
      this.unit = unit;
    }

    synchronized boolean written() {
      written = true;
      return dropped;
    }

    synchronized boolean drop() {
      dropped = true;
      return written;
    }
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    int at = offset;
    int left = count;
    while (left > 0) {
      prepare();
      int room = (unit != null ? unit.capacity() : array.length) - filled;
      int now = Math.min(left, room);
      if (unit != null) {
        unit.put(filled, bytes, at, now);
      } else {
        System.arraycopy(bytes, at, array, filled, now);
      }
      filled += now;
      length += now;
      at += now;
      left -= now;
      if (now == room) {
        pass();
      }
    }
  }

  /** Sees to it that there is something to fill. */
  private void prepare() {
    if (unit != null || array != null) {
      return;
    }
    if (keeping) {
      unit = units.poll();
      if (unit == null) {
        // a refusal has made the scheduler revoke what others can do without
        unit = units.poll();
      }
      if (unit != null) {
        return;
      }
      dropMemory();
    }
    array = spare.poll();
    if (array == null) {
      array = new byte[ARRAY_BYTES];
    }
  }

  /** Hands what is filled to the disk. */
  private void pass() throws IOException {
    CacheUnit fullUnit = unit;
    byte[] fullArray = array;
    int bytes = filled;
    unit = null;
    array = null;
    filled = 0;
    try {
      if (fullUnit != null) {
        Kept piece = new Kept(fullUnit);
        kept.add(piece);
        stream.add(fullUnit, 0, bytes, failure -> written(piece));
      } else if (fullArray != null) {
        stream.add(fullArray, 0, bytes, failure -> spare.add(fullArray));
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void written(Kept piece) {
    if (piece.written()) {
      units.give(piece.unit);
    }
  }

  /** Keeps nothing any more: each unit goes back when it is on disk. */
  private void dropMemory() {
    keeping = false;
    for (Kept piece : kept) {
      if (piece.drop()) {
        units.give(piece.unit);
      }
    }
    kept.clear();
  }

  /** Bytes written so far. */
  public long length() {
    return length;
  }

  /** Sums of what was written, once finished; null if {@code mammoth.io.checksum} is off. */
  public BlockSums sums() {
    return sums;
  }

  /**
   * Waits until all of it is on disk and the file is closed.
   *
   * @return the same bytes in memory, now owned by the caller, or null
   * @throws IOException the first error of the file
   */
  public CacheFile finish() throws IOException {
    if (filled > 0) {
      pass();
    } else if (unit != null) {
      units.give(unit);
      unit = null;
    }
    try {
      Written written = stream.finish().get();
      if (written.bytes() != length) {
        throw new IOException(
            written.bytes() + " bytes of a file went to disk, " + length + " were written");
      }
      sums = written.sums().orElse(null);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
    finished = true;
    if (!keeping) {
      return null;
    }
    List<CacheUnit> all = new ArrayList<>();
    kept.forEach(piece -> all.add(piece.unit));
    kept.clear();
    return CacheFile.of(units, all, length);
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    IOException stopped = new InterruptedIOException("the task was stopped while it wrote");
    stopped.initCause(e);
    return stopped;
  }

  /** Gives the file up unless it was finished; frees all memory. Safe to call twice. */
  @Override
  public void close() {
    if (finished) {
      return;
    }
    finished = true;
    if (unit != null) {
      units.give(unit);
      unit = null;
    }
    dropMemory();
    stream.abort();
  }
}
