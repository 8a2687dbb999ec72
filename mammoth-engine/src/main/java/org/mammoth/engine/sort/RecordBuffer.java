// SPDX-License-Identifier: Apache-2.0
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
import java.util.function.Supplier;
import org.mammoth.engine.sort.elements.Element;
import org.mammoth.engine.sort.elements.Gatherer;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.Vints;
import org.mammoth.engine.sort.merge.RecordForm;

/**
 * Takes the serialised form of one record after the other into elements. A record goes straight
 * into the slab; when it does not fit, the element is handed on and the begun record moves to the
 * next one. The value of a record larger than a slab goes on to a run of its own as it is written;
 * {@link LargeWriter} has the details.
 *
 * <p>Use: {@link #begin}, write the key, {@link #endKey}, write the value, {@link #end}. Used as a
 * stream by serialisers; {@link DataOutput} saves Writables the detour over another stream. One
 * thread at a time.
 */
public final class RecordBuffer extends OutputStream implements DataOutput {

  /** What becomes of full elements. */
  public interface Drain {
    /** Takes a full element over, whether it throws or not. */
    void full(Element element) throws IOException, InterruptedException;

    /** A slab for the next one; never null. */
    byte[] slab() throws IOException, InterruptedException;

    /** Takes back a slab that holds no record. */
    void unused(byte[] slab);

    /** Where the value of a record that is too large for a slab goes: a run of one segment. */
    RunStore.Writer beginValue() throws IOException, InterruptedException;

    /** Takes a large record over. */
    void large(LargeRecord record);
  }

  /** An element is nearly full when this part of it is left. */
  private static final int NEARLY = 8;

  /** Lengths of key and value of most records take one byte each. */
  private static final int USUAL_HEADER = 2;

  private static final byte[] NOTHING = new byte[0];

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private final KeyOrder order;
  private final Drain drain;

  /** Null between records now and then, and while a large record is written. */
  private Element element;

  /** The slab of the element, or the one a large record is written through; null without one. */
  private byte[] slab;

  /** What is written to: the slab, or the array of a large key. */
  private byte[] bytes;

  /** The large record that is being written, or null. */
  private LargeWriter large;

  private int start;
  private int at;
  private int limit;
  private int keyEnd;

  /** Takes records before they are sorted, while there is one. */
  private Gatherer gatherer;

  /** Opens one, or gives null, once the first element is nearly full; null when it has. */
  private Supplier<Gatherer> later;

  /** Why records were lost; nothing more is taken then, or a task that goes on would lack them. */
  private Throwable failure;

  public RecordBuffer(KeyOrder order, Drain drain) {
    this.order = order;
    this.drain = drain;
    this.bytes = NOTHING;
  }

  /** Begins a record. */
  public void begin() throws IOException {
    if (element == null) {
      mustBeWhole();
      open();
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
      return endLarge(partition);
    }
    int keyLength = keyEnd - start - USUAL_HEADER;
    int valueLength = at - keyEnd;
    if ((keyLength | valueLength) > 127) {
      int shift = Vints.sizeOf(keyLength) + Vints.sizeOf(valueLength) - USUAL_HEADER;
      if (shift > limit - at) {
        grow(shift);
        if (element == null) {
          return endLarge(partition);
        }
      }
      int body = start + USUAL_HEADER;
      System.arraycopy(bytes, body, bytes, body + shift, at - body);
      at += shift;
      Vints.write(bytes, Vints.write(bytes, start, keyLength), valueLength);
    } else {
      bytes[start] = (byte) keyLength;
      bytes[start + 1] = (byte) valueLength;
    }
    int keyAt = at - valueLength - keyLength;
    if (gatherer != null) {
      gather(partition, keyAt, keyLength, valueLength);
    } else {
      element.add(
          partition, start, order.prefix(bytes, keyAt, keyLength), at, keyLength + valueLength);
      if (later != null && element.limit() - at < bytes.length / NEARLY) {
        gatherNow();
      }
    }
    return keyLength + valueLength;
  }

  /** The large record is complete; the slab serves the next one. */
  private int endLarge(int partition) throws IOException {
    mustBeWhole();
    if (large == null) {
      throw new IllegalStateException("a record was ended that was not begun");
    }
    if (bytes != slab) {
      large.key(bytes, keyEnd);
      beginValue();
    }
    append(bytes, 0, at);
    LargeRecord record = carefully(() -> large.finish(partition, order));
    drain.large(record);
    large = null;
    element = new Element(slab);
    bytes = slab;
    return record.keyLength() + record.valueLength();
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

  /** Opens the hash table and lets it have the records so far. */
  private void gatherNow() throws IOException {
    Gatherer table = open(later);
    if (table == null) {
      return;
    }
    Element first = element;
    forget();
    try {
      carefully(() -> gather(table, first));
    } finally {
      drain.unused(first.bytes());
    }
    gatherer = table.isGivenUp() ? null : table;
  }

  private void gather(Gatherer table, Element from) throws IOException, InterruptedException {
    byte[] bytes = from.bytes();
    for (int i = 0; i < from.count(); i++) {
      int partition = from.index().partition(i);
      int record = (int) from.index().place(i);
      int keyLength = Vints.read(bytes, record);
      int keyAt = RecordForm.keyAt(bytes, record);
      int valueAt = keyAt + keyLength;
      int valueLength = record + RecordForm.length(bytes, record) - valueAt;
      boolean gathered =
          !table.isGivenUp()
              && (table.addAtOnce(partition, bytes, keyAt, keyLength, valueAt, valueLength)
                  || table.add(partition, bytes, keyAt, keyLength, valueAt, valueLength));
      if (!gathered) {
        sort(partition, bytes, keyAt, keyLength, bytes, valueAt, valueLength);
      }
    }
  }

  private Gatherer open(Supplier<Gatherer> opener) {
    later = null;
    return opener.get();
  }

  /** What may lose records. */
  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private interface Taking<T> {
    T get() throws IOException, InterruptedException;
  }

  private void carefully(Step step) throws IOException {
    carefully(
        () -> {
          step.run();
          return null;
        });
  }

  private <T> T carefully(Taking<T> step) throws IOException {
    try {
      return step.get();
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

  /** Whether records were lost because of just this: sorting, combining or keeping them failed. */
  public boolean hasFailedWith(Throwable cause) {
    return failure == cause;
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

  /**
   * Lets records gather in a hash table before they are sorted, from when there are more than fit
   * an element.
   *
   * @param opener gives null if there is no memory for one
   */
  void gatherLater(Supplier<Gatherer> opener) {
    later = opener;
  }

  /** Lets no more records gather. */
  void gatherNoMore() {
    later = null;
    gatherer = null;
  }

  /** Hands the element being filled on, if it holds anything. */
  public void handOn() throws IOException {
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
    if (large != null) {
      large.close();
      large = null;
    }
    if (slab != null) {
      drain.unused(slab);
      forget();
    }
  }

  private void forget() {
    element = null;
    slab = null;
    bytes = NOTHING;
  }

  /** Begins an element: in the slab of a large record that was given up, or in another one. */
  private void open() throws IOException {
    if (large != null) {
      large.close();
      large = null;
    }
    if (slab == null) {
      slab = nextSlab();
    }
    element = new Element(slab);
    bytes = slab;
  }

  private void pass() throws IOException {
    Element full = element;
    forget();
    carefully(
        () -> {
          drain.full(full);
          if (later != null) {
            gatherer = open(later);
          }
        });
  }

  private byte[] nextSlab() throws IOException {
    return carefully(drain::slab);
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

  /**
   * Makes room for {@code count} bytes, up to a slab's size; for more if they belong to a key. A
   * value that has become large leaves as much room as a slab has.
   */
  private void grow(int count) throws IOException {
    if (element == null) {
      growLarge(count);
      return;
    }
    int begun = at - start;
    if (element.count() > 0) {
      byte[] head = Arrays.copyOfRange(bytes, start, at);
      pass();
      open();
      System.arraycopy(head, 0, bytes, 0, Math.min(begun, bytes.length));
      if (keyEnd >= 0) {
        keyEnd -= start;
      }
      start = 0;
      at = begun;
      limit = element.limit();
    }
    if (count > limit - at) {
      beginLarge(count);
    }
  }

  private void beginLarge(int count) throws IOException {
    large = new LargeWriter();
    element = null;
    int keyFrom = start + USUAL_HEADER;
    if (keyEnd < 0) {
      bytes = large.growKey(bytes, keyFrom, at, count);
      at += LargeWriter.KEY_AT - keyFrom;
      limit = bytes.length;
    } else {
      large.copyKey(bytes, keyFrom, keyEnd);
      beginValue();
    }
  }

  private void growLarge(int count) throws IOException {
    mustBeWhole();
    if (large == null) {
      throw new IllegalStateException("a record was written that was not begun");
    }
    if (keyEnd < 0) {
      bytes = large.growKey(bytes, LargeWriter.KEY_AT, at, count);
      limit = bytes.length;
    } else if (bytes == slab) {
      append(bytes, 0, at);
      at = 0;
    } else {
      large.key(bytes, keyEnd);
      beginValue();
    }
  }

  /** The value of a large record goes on through the slab; its key has been put aside. */
  private void beginValue() throws IOException {
    carefully(() -> large.beginValue(drain.beginValue()));
    append(bytes, keyEnd, at - keyEnd);
    bytes = slab;
    at = 0;
    limit = slab.length;
  }

  private void append(byte[] from, int offset, int length) throws IOException {
    carefully(() -> large.append(from, offset, length));
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
    if (length > limit - at) {
      grow(length);
      if (length > limit - at) {
        append(from, offset, length);
        return;
      }
    }
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
    for (int i = 0; i < text.length(); i++) {
      write(text.charAt(i));
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
