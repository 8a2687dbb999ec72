// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Sort and grouping orders that work for every kind of key, because they deserialize what they
 * compare.
 */
final class Orders {
  private Orders() {}

  private abstract static class Deserializing implements RawComparator<Object>, Configurable {
    private Configuration conf;
    private Class<Object> type;
    private SerializationFactory serializations;

    @Override
    @SuppressWarnings("unchecked")
    public void setConf(Configuration conf) {
      this.conf = conf;
      type = (Class<Object>) conf.getClass(MRJobConfig.MAP_OUTPUT_KEY_CLASS, null);
      serializations = new SerializationFactory(conf);
    }

    @Override
    public Configuration getConf() {
      return conf;
    }

    @Override
    public int compare(
        byte[] left, int leftStart, int leftLength, byte[] right, int rightStart, int rightLength) {
      return compare(read(left, leftStart, leftLength), read(right, rightStart, rightLength));
    }

    /** A new deserializer each time: slow, and right even if several threads compare. */
    private Object read(byte[] bytes, int start, int length) {
      DataInputBuffer buffer = new DataInputBuffer();
      buffer.reset(bytes, start, length);
      try {
        Deserializer<Object> deserializer = serializations.getDeserializer(type);
        deserializer.open(buffer);
        return deserializer.deserialize(null);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @SuppressWarnings("unchecked")
    static int natural(Object left, Object right) {
      return ((Comparable<Object>) left).compareTo(right);
    }
  }

  /** Natural order, for keys that bring no comparator. */
  static final class Natural extends Deserializing {
    @Override
    public int compare(Object left, Object right) {
      return natural(left, right);
    }
  }

  /** Natural order backwards. */
  static final class Reverse extends Deserializing {
    @Override
    public int compare(Object left, Object right) {
      return natural(right, left);
    }
  }

  /** Contradicts itself: of two keys either may come first, and a key may come before itself. */
  static final class Contrary extends Deserializing {
    @Override
    public int compare(Object left, Object right) {
      return (int) (Mix.of(Kind.show(left) + "|" + Kind.show(right)) % 2);
    }
  }

  /** No key equals another one, nor itself: each record is a group. */
  static final class Apart implements RawComparator<Object> {
    @Override
    public int compare(byte[] a, int aAt, int aLength, byte[] b, int bAt, int bLength) {
      return 1;
    }

    @Override
    public int compare(Object left, Object right) {
      return 1;
    }
  }

  /** Different keys are equal here. */
  static final class Coarse extends Deserializing {
    @Override
    public int compare(Object left, Object right) {
      return Kind.coarse(left).compareTo(Kind.coarse(right));
    }
  }
}
