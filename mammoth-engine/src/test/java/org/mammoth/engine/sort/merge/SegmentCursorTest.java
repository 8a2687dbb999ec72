// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.io.BytesWritable;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.sort.HeapRuns;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.keys.Vints;

/** Segments through windows of any size, whole and damaged. */
class SegmentCursorTest {

  private static final KeyOrder ORDER = KeyOrders.of(new BytesWritable.Comparator());

  private static SegmentCursor cursor(byte[] segment, int window) {
    return new SegmentCursor(ORDER, HeapRuns.input(segment), "s", window, segment.length);
  }

  private static byte[] key(byte[] bytes) {
    byte[] key = new byte[4 + bytes.length];
    key[2] = (byte) (bytes.length >>> 8);
    key[3] = (byte) bytes.length;
    System.arraycopy(bytes, 0, key, 4, bytes.length);
    return key;
  }

  @Property(tries = 300)
  void whatWasWrittenIsRead(@ForAll long seed, @ForAll @IntRange(min = 0, max = 300) int window)
      throws IOException {
    Random random = new Random(seed);
    List<byte[]> parts = new ArrayList<>();
    SegmentWriter writer = new SegmentWriter(random.nextInt(200));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.begin(out);
    for (int left = random.nextInt(60); left > 0; left--) {
      byte[] body = new byte[random.nextInt(random.nextInt(8) == 0 ? 2000 : 30)];
      random.nextBytes(body);
      byte[] key = key(body);
      byte[] value = new byte[random.nextInt(random.nextInt(8) == 0 ? 2000 : 30)];
      random.nextBytes(value);
      writer.append(key, 0, key.length, value, 0, value.length);
      parts.add(key);
      parts.add(value);
    }
    writer.end();
    assertThat(writer.rawBytes()).isEqualTo(out.size());
    RecordSpace space = new RecordSpace();
    try (SegmentCursor cursor = cursor(out.toByteArray(), window)) {
      for (int i = 0; i < parts.size(); i += 2) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.valueLength()).isEqualTo(parts.get(i + 1).length);
        if (random.nextInt(3) == 0) {
          // nobody asks for the value, or it is passed on without being brought into one piece
          assertThat(Arrays.copyOfRange(cursor.bytes(), cursor.keyAt(), cursor.valueAt()))
              .isEqualTo(parts.get(i));
          if (random.nextBoolean()) {
            ByteArrayOutputStream passedOn = new ByteArrayOutputStream();
            cursor.writeTo(passedOn, new byte[1 + random.nextInt(50)]);
            assertThat(passedOn.toByteArray()).endsWith(parts.get(i + 1));
          }
          continue;
        }
        cursor.complete(space);
        assertThat(Arrays.copyOfRange(cursor.bytes(), cursor.keyAt(), cursor.valueAt()))
            .isEqualTo(parts.get(i));
        assertThat(Arrays.copyOfRange(cursor.bytes(), cursor.valueAt(), cursor.end()))
            .isEqualTo(parts.get(i + 1));
      }
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.next()).isFalse();
    }
  }

  @Test
  void aDamagedLengthTakesNoMemory() {
    byte[] segment = new byte[3000];
    int at = Vints.write(segment, 0, 1 << 30);
    Vints.write(segment, at, 100);
    SegmentCursor cursor = cursor(segment, 64);
    assertThatThrownBy(cursor::next)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
    assertThat(cursor.bytes().length).isLessThanOrEqualTo(2 * segment.length);
  }

  /** The checksum that would tell comes after the value. */
  @Test
  void aDamagedLengthOfAValueTakesNoMemory() {
    byte[] segment = new byte[3000];
    Vints.write(segment, Vints.write(segment, 0, 10), 1 << 30);
    SegmentCursor cursor = new SegmentCursor(ORDER, HeapRuns.input(segment), "s", 64, 3000);
    assertThatThrownBy(cursor::next)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void lengthsThatCannotBeAreErrors() {
    for (int[] lengths : new int[][] {{-1, 5}, {5, -1}, {-7, -7}}) {
      byte[] segment = new byte[20];
      Vints.write(segment, Vints.write(segment, 0, lengths[0]), lengths[1]);
      assertThatThrownBy(() -> cursor(segment, 64).next())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("damaged");
    }
    byte[] two = new byte[12];
    Vints.write(two, Vints.write(two, 0, Integer.MAX_VALUE), Integer.MAX_VALUE);
    assertThatThrownBy(() -> cursor(two, 64).next())
        .hasMessageContaining("more than an array holds");
    assertThatThrownBy(() -> cursor(new byte[] {-1, -1, 0}, 64).next())
        .hasMessageContaining("after its end mark");
    assertThatThrownBy(() -> cursor(new byte[0], 64).next()).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> cursor(new byte[] {-1}, 64).next()).isInstanceOf(EOFException.class);
  }
}
