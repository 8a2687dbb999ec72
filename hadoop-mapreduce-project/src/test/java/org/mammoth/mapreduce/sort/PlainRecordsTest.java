// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.ShortWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.VIntWritable;
import org.apache.hadoop.io.VLongWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.WritableSerialization;
import org.junit.jupiter.api.Test;

/** Hadoop's Writables read out of arrays are what java.io's streams would have made of them. */
class PlainRecordsTest {

  private static final class OwnText extends Text {}

  private static Writable random(Random random) {
    byte[] bytes = new byte[random.nextInt(200)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(26));
    }
    long number = random.nextLong() >> random.nextInt(64);
    return switch (random.nextInt(12)) {
      case 0 -> new Text(bytes);
      case 1 -> new BytesWritable(bytes);
      case 2 -> new IntWritable((int) number);
      case 3 -> new LongWritable(number);
      case 4 -> new ShortWritable((short) number);
      case 5 -> new ByteWritable((byte) number);
      case 6 -> new BooleanWritable(random.nextBoolean());
      case 7 -> new FloatWritable(number / 3f);
      case 8 -> new DoubleWritable(number / 3.0);
      case 9 -> new VIntWritable((int) number);
      case 10 -> new VLongWritable(number);
      default -> NullWritable.get();
    };
  }

  @Test
  @SuppressWarnings("unchecked")
  void everyPlainWritableComesBackAsItWas() throws IOException {
    Random random = new Random(1);
    SerializationFactory factory = new SerializationFactory(new Configuration(false));
    for (int i = 0; i < 3_000; i++) {
      Writable first = random(random);
      Writable second = random(random);
      while (second.getClass() != first.getClass()) {
        second = random(random);
      }
      Class<Writable> type = (Class<Writable>) first.getClass();
      assertThat(PlainWritables.writeThemselves(type, factory.getSerializer(type))).isTrue();
      DataOutputBuffer out = new DataOutputBuffer();
      out.write(7);
      first.write(out);
      int middle = out.getLength();
      second.write(out);
      int end = out.getLength();
      out.write(7);
      RecordReader<Writable> reader = new RecordReader<>(factory, type);
      Writable one = reader.read(out.getData(), 1, middle - 1);
      assertThat(one).isEqualTo(first);
      Writable two = reader.read(out.getData(), middle, end - middle);
      assertThat(two).isEqualTo(second).isSameAs(one);
      if (end - middle > 1) {
        assertThatThrownBy(() -> reader.read(out.getData(), middle, end - middle - 1))
            .isInstanceOf(EOFException.class);
      }
    }
  }

  @Test
  void onlyHadoopsOwnClassesAndSerialisationArePlain() {
    SerializationFactory factory = new SerializationFactory(new Configuration(false));
    assertThat(PlainWritables.writeThemselves(OwnText.class, factory.getSerializer(OwnText.class)))
        .as("a subclass may write itself otherwise")
        .isFalse();
    WritableSerialization changed =
        new WritableSerialization() {
          @Override
          public org.apache.hadoop.io.serializer.Serializer<Writable> getSerializer(
              Class<Writable> type) {
            return new org.apache.hadoop.io.serializer.Serializer<>() {
              @Override
              public void open(java.io.OutputStream out) {}

              @Override
              public void serialize(Writable writable) {}

              @Override
              public void close() {}
            };
          }
        };
    @SuppressWarnings({"unchecked", "rawtypes"})
    Class<Writable> text = (Class) Text.class;
    assertThat(PlainWritables.writeThemselves(text, changed.getSerializer(text))).isFalse();
  }

  @Test
  void anArrayReadsAsAStreamDoes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeBoolean(true);
    out.writeByte(-3);
    out.writeByte(-3);
    out.writeShort(-300);
    out.writeShort(-300);
    out.writeChar('\u20ac');
    out.writeInt(Integer.MIN_VALUE + 5);
    out.writeLong(Long.MIN_VALUE + 5);
    out.writeFloat(1.5f);
    out.writeDouble(-2.5);
    out.writeUTF("Grüße \u20ac");
    out.write(new byte[] {1, 2, 3, 4, 5});
    ArrayInput in = new ArrayInput();
    byte[] all = bytes.toByteArray();
    in.reset(all, 0, all.length);
    assertThat(in.readBoolean()).isTrue();
    assertThat(in.readByte()).isEqualTo((byte) -3);
    assertThat(in.readUnsignedByte()).isEqualTo(253);
    assertThat(in.readShort()).isEqualTo((short) -300);
    assertThat(in.readUnsignedShort()).isEqualTo(65_236);
    assertThat(in.readChar()).isEqualTo('\u20ac');
    assertThat(in.readInt()).isEqualTo(Integer.MIN_VALUE + 5);
    assertThat(in.readLong()).isEqualTo(Long.MIN_VALUE + 5);
    assertThat(in.readFloat()).isEqualTo(1.5f);
    assertThat(in.readDouble()).isEqualTo(-2.5);
    assertThat(in.readUTF()).isEqualTo("Grüße \u20ac");
    byte[] two = new byte[2];
    in.readFully(two);
    assertThat(two).containsExactly(1, 2);
    assertThat(in.skipBytes(-4)).isZero();
    assertThat(in.skipBytes(2)).isEqualTo(2);
    assertThatThrownBy(() -> in.readFully(two))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("1 bytes too early");
    assertThat(in.skipBytes(9)).isEqualTo(1);
    assertThatThrownBy(in::readByte).isInstanceOf(EOFException.class);
  }
}
