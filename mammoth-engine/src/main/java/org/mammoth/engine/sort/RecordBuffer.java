package org.mammoth.engine.sort;

import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Takes the serialised form of one record after the other into elements. A record goes straight
 * into the slab; when it does not fit, the element is handed on and the begun record moves to the
 * next one, and a record larger than a slab gets an array of its own.
 *
 * <p>Use: {@link #begin}, write the key, {@link #endKey}, write the value, {@link #end}. Used as a
 * stream by serialisers; {@link DataOutput} saves Writables the detour over another stream. One
 * thread at a time.
 */
public final class RecordBuffer extends OutputStream implements DataOutput {

  /** What becomes of full elements. */
  interface Drain {
    /** Takes a full element over, whether it throws or not. */
    void full(Element element) throws IOException, InterruptedException;

    /** A slab for the next one; never null. */
    byte[] slab() throws IOException, InterruptedException;

    /** Takes back a slab that holds no record. */
    void unused(byte[] slab);
  }

  /** Lengths of key and value of most records take one byte each. */
  private static final int USUAL_HEADER = 2;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final KeyOrder order;
  private final Drain drain;
  private Element element;
  private byte[] bytes;
  private boolean oversize;
  private int start;
  private int at;
  private int limit;
  private int keyEnd;

  /** Takes records before they are sorted, while there is one. */
  private Gatherer gatherer;

  /** Why records were lost; nothing more is taken then, or a task that goes on would lack them. */
  private Throwable failure;

  RecordBuffer(KeyOrder order, Drain drain) {
    this.order = order;
    this.drain = drain;
    this.bytes = new byte[0];
  }

  /** Begins a record. */
  public void begin() throws IOException {
    if (element == null) {
      mustBeWhole();
      open(new Element(slab()));
    }
    start = element.end();
    at = start;
    limit = element.limit();
    keyEnd = -1;
    ensure(USUAL_HEADER);
    at += USUAL_HEADER;
  }

  /** The key is written; the value follows. */
  public void endKey() {
    keyEnd = at;
  }

  /**
   * The record is complete.
   *
   * @return bytes of key and value together
   */
  public int end(int partition) throws IOException {
    if (element == null) {
      mustBeWhole();
    }
    int keyLength = keyEnd - start - USUAL_HEADER;
    int valueLength = at - keyEnd;
    if ((keyLength | valueLength) > 127) {
      int shift = Vints.sizeOf(keyLength) + Vints.sizeOf(valueLength) - USUAL_HEADER;
      ensure(shift);
      int body = start + USUAL_HEADER;
      System.arraycopy(bytes, body, bytes, body + shift, at - body);
      at += shift;
      Vints.write(bytes, Vints.write(bytes, start, keyLength), valueLength);
    } else {
      bytes[start] = (byte) keyLength;
      bytes[start + 1] = (byte) valueLength;
    }
    int keyAt = at - valueLength - keyLength;
    if (gatherer != null && !oversize) {
      gather(partition, keyAt, keyLength, valueLength);
    } else {
      enter(partition, keyAt, keyLength);
    }
    return keyLength + valueLength;
  }

  private void enter(int partition, int keyAt, int keyLength) throws IOException {
    element.add(partition, start, order.prefix(bytes, keyAt, keyLength), at);
    if (oversize) {
      pass();
    }
  }

  /** Lets the hash table have the record; the slab's next record overwrites it. */
  private void gather(int partition, int keyAt, int keyLength, int valueLength) throws IOException {
    // The table may hand records on to this buffer before it takes this one.
    Gatherer table = gatherer;
    try {
      if (table.addAtOnce(partition, bytes, keyAt, keyLength, keyAt + keyLength, valueLength)) {
        return;
      }
      byte[] record = Arrays.copyOfRange(bytes, keyAt, at);
      gatherer = null;
      boolean taken = table.add(partition, record, 0, keyLength, keyLength, valueLength);
      if (!taken) {
        sort(partition, record, 0, keyLength, record, keyLength, valueLength);
      }
      gatherer = table.isGivenUp() ? null : table;
    } catch (InterruptedException e) {
      fail(e);
      throw interrupted(e);
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      throw e;
    }
  }

  private void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    release();
    at = 0;
    limit = 0;
  }

  private void mustBeWhole() throws IOException {
    if (failure != null) {
      throw new IOException("records of this map were lost before: " + failure, failure);
    }
  }

  /** Takes a record that is complete elsewhere, past any hash table. */
  void sort(
      int partition,
      byte[] key,
      int keyFrom,
      int keyLength,
      byte[] value,
      int valueFrom,
      int valueLength)
      throws IOException {
    begin();
    write(key, keyFrom, keyLength);
    endKey();
    write(value, valueFrom, valueLength);
    end(partition);
  }

  /** Lets records gather in a hash table before they are sorted; null ends that. */
  void gatherIn(Gatherer table) {
    gatherer = table;
  }

  /** Hands the element being filled on, if it holds anything. */
  void handOn() throws IOException {
    mustBeWhole();
    if (element != null && element.count() > 0) {
      pass();
    }
    release();
  }

  /** Whether the element being filled holds a record. */
  boolean hasRecords() {
    return element != null && element.count() > 0;
  }

  /** Drops the element being filled; nothing may be written afterwards but a new record. */
  void release() {
    if (element != null) {
      drain.unused(bytes);
      element = null;
      oversize = false;
      bytes = new byte[0];
    }
  }

  private void open(Element next) {
    element = next;
    bytes = next.bytes();
  }

  private void pass() throws IOException {
    Element full = element;
    element = null;
    oversize = false;
    bytes = new byte[0];
    try {
      drain.full(full);
    } catch (InterruptedException e) {
      fail(e);
      throw interrupted(e);
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      throw e;
    }
  }

  private byte[] slab() throws IOException {
    try {
      return drain.slab();
    } catch (InterruptedException e) {
      fail(e);
      throw interrupted(e);
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
      throw e;
    }
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    IOException stopped = new InterruptedIOException("the task was stopped while sorting");
    stopped.initCause(e);
    return stopped;
  }

  private void ensure(int count) throws IOException {
    if (count > limit - at) {
      grow(count);
    }
  }

  private void grow(int count) throws IOException {
    if (element == null) {
      mustBeWhole();
    }
    int begun = at - start;
    byte[] from = bytes;
    int fromStart = start;
    if (element.count() > 0) {
      byte[] head = Arrays.copyOfRange(from, fromStart, fromStart + begun);
      pass();
      open(new Element(slab()));
      from = head;
      fromStart = 0;
    }
    long needed = (long) begun + count + EntryIndex.ENTRY_BYTES;
    if (needed > bytes.length) {
      if (needed > LARGEST_ARRAY) {
        throw new IOException(
            "a record of map output is larger than 2 GiB: "
                + needed
                + " bytes of it were written when it did not fit any more");
      }
      byte[] small = bytes;
      open(new Element(new byte[(int) Math.min(LARGEST_ARRAY, Math.max(needed, 2L * begun))]));
      if (from == small) {
        System.arraycopy(from, fromStart, bytes, 0, begun);
      } else {
        System.arraycopy(from, 0, bytes, 0, begun);
      }
      if (!oversize) {
        drain.unused(small);
      }
      oversize = true;
    } else if (from != bytes) {
      System.arraycopy(from, fromStart, bytes, 0, begun);
    }
    if (keyEnd >= 0) {
      keyEnd -= start;
    }
    start = 0;
    at = begun;
    limit = element.limit();
  }

  @Override
  public void write(int value) throws IOException {
    ensure(1);
    bytes[at++] = (byte) value;
  }

  @Override
  public void write(byte[] from) throws IOException {
    write(from, 0, from.length);
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    ensure(length);
    System.arraycopy(from, offset, bytes, at, length);
    at += length;
  }

  @Override
  public void writeBoolean(boolean value) throws IOException {
    write(value ? 1 : 0);
  }

  @Override
  public void writeByte(int value) throws IOException {
    write(value);
  }

  @Override
  public void writeShort(int value) throws IOException {
    ensure(2);
    SHORT.set(bytes, at, (short) value);
    at += 2;
  }

  @Override
  public void writeChar(int value) throws IOException {
    writeShort(value);
  }

  @Override
  public void writeInt(int value) throws IOException {
    ensure(4);
    INT.set(bytes, at, value);
    at += 4;
  }

  @Override
  public void writeLong(long value) throws IOException {
    ensure(8);
    LONG.set(bytes, at, value);
    at += 8;
  }

  @Override
  public void writeFloat(float value) throws IOException {
    writeInt(Float.floatToIntBits(value));
  }

  @Override
  public void writeDouble(double value) throws IOException {
    writeLong(Double.doubleToLongBits(value));
  }

  @Override
  public void writeBytes(String text) throws IOException {
    int length = text.length();
    ensure(length);
    for (int i = 0; i < length; i++) {
      bytes[at++] = (byte) text.charAt(i);
    }
  }

  @Override
  public void writeChars(String text) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      writeShort(text.charAt(i));
    }
  }

  @Override
  public void writeUTF(String text) throws IOException {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    new DataOutputStream(encoded).writeUTF(text);
    write(encoded.toByteArray());
  }
}
