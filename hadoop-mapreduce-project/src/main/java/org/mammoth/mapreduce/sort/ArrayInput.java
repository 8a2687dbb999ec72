// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads Hadoop's own Writables out of an array, without the locks and single bytes of the streams
 * of java.io. One thread at a time.
 */
final class ArrayInput implements DataInput {

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes;
  private int at;
  private int end;

  /** Reads the given range from now on. */
  void reset(byte[] array, int from, int length) {
    bytes = array;
    at = from;
    end = from + length;
  }

  private int advance(int count) throws EOFException {
    int from = at;
    if (count > end - from) {
      throw new EOFException("a record ends " + (count - end + from) + " bytes too early");
    }
    at = from + count;
    return from;
  }

  @Override
  public void readFully(byte[] into) throws IOException {
    readFully(into, 0, into.length);
  }

  @Override
  public void readFully(byte[] into, int offset, int length) throws IOException {
    System.arraycopy(bytes, advance(length), into, offset, length);
  }

  @Override
  public int skipBytes(int count) {
    int skipped = Math.max(0, Math.min(count, end - at));
    at += skipped;
    return skipped;
  }

  @Override
  public boolean readBoolean() throws IOException {
    return readByte() != 0;
  }

  @Override
  public byte readByte() throws IOException {
    return bytes[advance(1)];
  }

  @Override
  public int readUnsignedByte() throws IOException {
    return readByte() & 0xff;
  }

  @Override
  public short readShort() throws IOException {
    return (short) SHORT.get(bytes, advance(2));
  }

  @Override
  public int readUnsignedShort() throws IOException {
    return readShort() & 0xffff;
  }

  @Override
  public char readChar() throws IOException {
    return (char) readShort();
  }

  @Override
  public int readInt() throws IOException {
    return (int) INT.get(bytes, advance(4));
  }

  @Override
  public long readLong() throws IOException {
    return (long) LONG.get(bytes, advance(8));
  }

  @Override
  public float readFloat() throws IOException {
    return Float.intBitsToFloat(readInt());
  }

  @Override
  public double readDouble() throws IOException {
    return Double.longBitsToDouble(readLong());
  }

  @Override
  public String readLine() {
    throw new UnsupportedOperationException("no Writable of Hadoop's reads lines");
  }

  @Override
  public String readUTF() throws IOException {
    return DataInputStream.readUTF(this);
  }
}
