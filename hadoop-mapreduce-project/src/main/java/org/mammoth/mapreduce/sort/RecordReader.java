// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.IOException;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.SerializationFactory;

/**
 * Turns bytes into objects of one class, into the same object again where its serialisation does
 * so. One thread at a time.
 */
final class RecordReader<T> {

  private final boolean plain;
  private final ArrayInput fast = new ArrayInput();
  private final DataInputBuffer stream = new DataInputBuffer();
  private final Deserializer<T> deserializer;
  private T last;

  RecordReader(SerializationFactory serializations, Class<T> type) throws IOException {
    plain = PlainWritables.writeThemselves(type, serializations.getSerializer(type));
    deserializer = serializations.getDeserializer(type);
    deserializer.open(stream);
  }

  T read(byte[] bytes, int at, int length) throws IOException {
    if (plain && last != null) {
      fast.reset(bytes, at, length);
      ((Writable) last).readFields(fast);
      return last;
    }
    stream.reset(bytes, at, length);
    last = deserializer.deserialize(last);
    return last;
  }
}
