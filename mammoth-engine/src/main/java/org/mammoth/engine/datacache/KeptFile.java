// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.mammoth.engine.memory.SpareUnit;

/**
 * A file in memory, the whole of it or what is left. Its memory may go at any byte; a reader then
 * goes on where the file came from. Once it is found in the cache, any thread reads it.
 */
public final class KeptFile {

  final FileSet set;

  /** As it was created; the committed name if it was never opened. Guarded by the cache. */
  final String writtenPath;

  /** Its name as far as is known. Guarded by the cache. */
  String path;

  /** Guarded by the cache. */
  final List<Slot> slots = new ArrayList<>();

  /** How many of the slots are still there. Guarded by the cache. */
  int held;

  /** Whether it can still be read, or written. Guarded by the cache. */
  boolean dropped;

  FileIdentity identity;
  private final int unitBytes;
  private final LongAdder read;
  private final Map<BlockIdentity, Long> blocks = new ConcurrentHashMap<>(4);
  private SpareUnit[] units;

  /** Where it begins in its first unit. */
  private int first;

  private long length;

  KeptFile(FileSet set, String path, int unitBytes, LongAdder read) {
    this.set = set;
    this.writtenPath = path;
    this.path = OutputPath.committed(path);
    this.unitBytes = unitBytes;
    this.read = read;
  }

  /** It is written; guarded by the cache. */
  void finish(FileIdentity what, int firstInUnit) {
    identity = what;
    length = what.length();
    first = firstInUnit;
    units = slots.stream().map(slot -> slot.unit).toArray(SpareUnit[]::new);
  }

  /** Bytes of the file. */
  public long length() {
    return length;
  }

  /** Says where in this file a block of it begins, which has to be known for certain. */
  public void bind(BlockIdentity block, long offset) {
    blocks.put(block, offset);
  }

  /** Where a block begins in this file; less than 0 if it is not known to be of this file. */
  public long offsetOf(BlockIdentity block) {
    return blocks.getOrDefault(block, -1L);
  }

  /** Whether the byte at {@code position} is still in memory. */
  public boolean has(long position) {
    return !units[(int) ((first + position) / unitBytes)].isGone();
  }

  /**
   * Copies from {@code position}.
   *
   * @param wanted at least 1
   * @return bytes copied, 1 to {@code wanted}, or -1 if they are not in memory any more
   */
  public int read(long position, byte[] into, int offset, int wanted) {
    long from = first + position;
    int at = (int) (from % unitBytes);
    int count = count(position, wanted, at);
    boolean there = units[(int) (from / unitBytes)].get(at, into, offset, count);
    return there ? counted(count) : -1;
  }

  /**
   * Copies from {@code position} as much as {@code into} takes of one unit.
   *
   * @return bytes copied, at least 1, or -1 if they are not in memory any more
   */
  public int read(long position, ByteBuffer into) {
    long from = first + position;
    int at = (int) (from % unitBytes);
    int count = count(position, into.remaining(), at);
    boolean there = units[(int) (from / unitBytes)].get(at, into, count);
    return there ? counted(count) : -1;
  }

  private int count(long position, int wanted, int at) {
    if (position < 0 || position >= length || wanted < 1) {
      throw new IndexOutOfBoundsException(
          wanted + " bytes from " + position + " were wanted of a file of " + length);
    }
    return (int) Math.min(Math.min(wanted, unitBytes - at), length - position);
  }

  private int counted(int count) {
    read.add(count);
    set.bytesRead.add(count);
    return count;
  }
}
