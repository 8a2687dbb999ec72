// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.Serialization;
import org.apache.hadoop.io.serializer.Serializer;

/**
 * The serialization of {@link Point}: two numbers, big-endian. Lives in the job jar and is named in
 * io.serializations.
 */
public final class PointSerialization implements Serialization<Point> {
  @Override
  public boolean accept(Class<?> type) {
    return type == Point.class;
  }

  @Override
  public Serializer<Point> getSerializer(Class<Point> type) {
    return new Serializer<>() {
      private DataOutputStream out;

      @Override
      public void open(OutputStream stream) {
        out = new DataOutputStream(stream);
      }

      @Override
      public void serialize(Point point) throws IOException {
        out.writeInt(point.x());
        out.writeInt(point.y());
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  @Override
  public Deserializer<Point> getDeserializer(Class<Point> type) {
    return new Deserializer<>() {
      private DataInputStream in;

      @Override
      public void open(InputStream stream) {
        in = new DataInputStream(stream);
      }

      @Override
      public Point deserialize(Point reused) throws IOException {
        return new Point(in.readInt(), in.readInt());
      }

      @Override
      public void close() throws IOException {
        in.close();
      }
    };
  }
}
