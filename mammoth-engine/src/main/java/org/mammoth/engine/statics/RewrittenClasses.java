// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Classes as an earlier engine has rewritten them, so that the next one starts without rewriting
 * them again: a file to which one engine at a time appends, and which all map. It holds for one
 * version of the rewriter and one class path, so who names the file makes a new one for each; a
 * class is known by its name, length and two checksums of its bytes.
 *
 * <p>An entry that was not written whole ends what is read of the file. Where the file cannot be
 * written, nothing is kept and nothing fails. Thread-safe.
 */
final class RewrittenClasses implements Closeable {

  private static final int UNCHANGED = -1;
  // Length of the name, of both forms of the class, checksums.
  private static final int HEADER = 4 + 4 + 4 + 8 + 8;
  private static final int BUFFER = 64 << 10;

  private record Entry(int length, long checksum, int from, int rewritten) {}

  /** Written by whoever loads a class, a task that is interrupted too; no channel goes on then. */
  private final RandomAccessFile file;

  private final ByteBuffer known;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private ByteBuffer unwritten;

  private RewrittenClasses(RandomAccessFile file) throws IOException {
    this.file = file;
    long length = Math.min(file.length(), Integer.MAX_VALUE);
    known = file.getChannel().map(MapMode.READ_ONLY, 0, length);
    int whole = index(known.duplicate());
    FileLock ours = file.getChannel().tryLock();
    if (ours != null) {
      // What is behind was cut off as its engine died.
      file.setLength(whole);
      file.seek(whole);
      unwritten = ByteBuffer.allocate(BUFFER);
    }
  }

  /**
   * Opens a file, which is made if it is not there.
   *
   * @throws IOException if it cannot be read
   */
  static RewrittenClasses open(Path path) throws IOException {
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      return new RewrittenClasses(file);
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /** Notes where each class is; returns where the last whole one ends. */
  private int index(ByteBuffer from) {
    int whole = 0;
    try {
      while (from.hasRemaining()) {
        byte[] name = new byte[lengthOf(from)];
        int length = from.getInt();
        int rewritten = from.getInt();
        long checksum = from.getLong();
        long own = from.getLong();
        from.get(name);
        int start = from.position();
        from.position(start + Math.max(0, rewritten));
        if (own != checksum(from.duplicate().flip().position(whole).slice(), 20, HEADER)) {
          return whole;
        }
        String text = new String(name, StandardCharsets.UTF_8);
        entries.put(text, new Entry(length, checksum, start, rewritten));
        whole = from.position();
      }
    } catch (BufferUnderflowException | IllegalArgumentException cutOff) {
      return whole;
    }
    return whole;
  }

  private static int lengthOf(ByteBuffer from) {
    int length = from.getInt();
    if (length < 0 || length > from.remaining()) {
      throw new BufferUnderflowException();
    }
    return length;
  }

  /**
   * The class as it was rewritten.
   *
   * @return null if it is not known; {@code original} itself if nothing of it changes
   */
  byte[] find(String name, byte[] original) {
    Entry entry = entries.get(name);
    if (entry == null
        || entry.length != original.length
        || entry.checksum != checksum(ByteBuffer.wrap(original), 0, 0)) {
      return null;
    }
    if (entry.rewritten == UNCHANGED) {
      return original;
    }
    byte[] rewritten = new byte[entry.rewritten];
    known.get(entry.from, rewritten);
    return rewritten;
  }

  /** Keeps a class for later engines; it is written with those after it. */
  void keep(String name, byte[] original, byte[] rewritten) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    boolean changes = rewritten != original;
    int size = HEADER + bytes.length + (changes ? rewritten.length : 0);
    ByteBuffer entry = ByteBuffer.allocate(size);
    entry.putInt(bytes.length).putInt(original.length);
    entry.putInt(changes ? rewritten.length : UNCHANGED);
    entry.putLong(checksum(ByteBuffer.wrap(original), 0, 0)).putLong(0).put(bytes);
    if (changes) {
      entry.put(rewritten);
    }
    entry.flip();
    entry.putLong(20, checksum(entry.duplicate(), 20, HEADER));
    write(entry);
  }

  /** Whether all that was to be kept has been written, or will be with the next ones. */
  synchronized boolean isWritten() {
    return unwritten != null;
  }

  private synchronized void write(ByteBuffer entry) {
    if (unwritten == null) {
      return;
    }
    try {
      if (entry.remaining() > unwritten.remaining()) {
        flush();
      }
      if (entry.remaining() > unwritten.remaining()) {
        writeAll(entry);
      } else {
        unwritten.put(entry);
      }
    } catch (IOException e) {
      // The disk is full, or gone: later engines rewrite what they miss.
      unwritten = null;
    }
  }

  private void flush() throws IOException {
    writeAll(unwritten.flip());
    unwritten.clear();
  }

  private void writeAll(ByteBuffer bytes) throws IOException {
    file.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
  }

  /** Of a buffer but for some of its bytes. */
  private static long checksum(ByteBuffer bytes, int from, int to) {
    Checksum first = new CRC32();
    Checksum second = new CRC32C();
    for (Checksum each : new Checksum[] {first, second}) {
      ByteBuffer all = bytes.duplicate();
      all.limit(from);
      each.update(all);
      all.limit(bytes.limit()).position(to);
      each.update(all);
    }
    return first.getValue() << Integer.SIZE | second.getValue();
  }

  /** Writes what is not written yet. */
  @Override
  public synchronized void close() throws IOException {
    try {
      if (unwritten != null) {
        flush();
      }
    } finally {
      unwritten = null;
      file.close();
    }
  }
}
