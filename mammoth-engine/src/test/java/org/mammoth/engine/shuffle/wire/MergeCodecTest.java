// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.Leaks;
import org.mammoth.engine.shuffle.MergeList;

class MergeCodecTest {

  static {
    // Whichever test makes the first buffer, those of other tests are watched.
    Leaks.watch();
  }

  private static final String JOB = "job_1700000000000_0001";
  private static final String NAME = "attempt_1_0001_r_000001_0.0123456789abcdef";

  private static EmbeddedChannel decoder() {
    EmbeddedChannel decoder = new EmbeddedChannel(new FrameDecoder(Frame.Sender.CLIENT, 4096));
    decoder.writeInbound(encoded(new Frame.Hello(1, 3, 9, Nonce.random(new SecureRandom()), 4096)));
    assertThat((Object) decoder.readInbound()).isInstanceOf(Frame.Hello.class);
    return decoder;
  }

  private static ByteBuf encoded(Frame frame) {
    EmbeddedChannel encoder = new EmbeddedChannel(new FrameEncoder());
    encoder.writeOutbound(frame);
    ByteBuf bytes = encoder.readOutbound();
    encoder.finishAndReleaseAll();
    return bytes;
  }

  private static MergeList list(Random random, int count, int nameLength) {
    List<MergeList.Part> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(
          new MergeList.Part("a" + "x".repeat(random.nextInt(nameLength)) + i, random.nextLong()));
    }
    return new MergeList(JOB, NAME, random.nextInt() >>> 1, random.nextInt(256), parts);
  }

  /** However many and whatever their names: bounded frames, nothing lost, order kept. */
  @Property(tries = 40)
  void aListComesOutAsItWentInFromBoundedFrames(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 9000) int count,
      @ForAll @IntRange(min = 1, max = 250) int nameLength) {
    MergeList list = list(new Random(seed), count, nameLength);
    List<MergeList.Part> got = new ArrayList<>();
    EmbeddedChannel decoder = decoder();
    for (Frame.Merge frame : MergeCodec.frames(5, list)) {
      ByteBuf bytes = encoded(frame);
      assertThat(bytes.readableBytes()).isLessThanOrEqualTo(4 + Wire.MAX_RANGES_BYTES);
      decoder.writeInbound(bytes);
      Frame.Merge read = decoder.readInbound();
      assertThat(read).isEqualTo(frame);
      assertThat(read.first()).isEqualTo(got.size());
      assertThat(read.total()).isEqualTo(count);
      assertThat(read.piece().key()).isEqualTo(list.key());
      assertThat(read.piece().order()).isEqualTo(list.order());
      got.addAll(read.piece().parts());
    }
    assertThat(got).isEqualTo(list.parts());
    decoder.finishAndReleaseAll();
  }

  @Test
  void unmergeComesOutAsItWentIn() {
    EmbeddedChannel decoder = decoder();
    decoder.writeInbound(encoded(new Frame.Unmerge(JOB, NAME, 3)));
    assertThat((Object) decoder.readInbound()).isEqualTo(new Frame.Unmerge(JOB, NAME, 3));
    decoder.finishAndReleaseAll();
  }

  private static void refused(int total, int first, int count, String why) {
    ByteBuf fields = Unpooled.buffer();
    FrameEncoder.name(FrameEncoder.name(fields.writeByte(Wire.MERGE).writeInt(1), JOB), NAME);
    fields.writeInt(0).writeByte(1).writeInt(total).writeInt(first).writeShort(count);
    for (int i = 0; i < count; i++) {
      FrameEncoder.name(fields, "a").writeLong(1);
    }
    refused(fields, why);
  }

  private static void refused(ByteBuf fields, String why) {
    CRC32C crc = new CRC32C();
    crc.update(fields.nioBuffer());
    ByteBuf frame = Unpooled.buffer().writeInt(fields.readableBytes() + 4);
    frame.writeBytes(fields).writeInt((int) crc.getValue());
    fields.release();
    EmbeddedChannel decoder = decoder();
    assertThatThrownBy(() -> decoder.writeInbound(frame))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining(why);
    decoder.finishAndReleaseAll();
  }

  @Test
  void listsThatCannotBeAreRefused() {
    refused(0, 0, 1, "a merge of 0");
    refused(Wire.MAX_MERGED + 1, 0, 1, "a merge of");
    refused(-1, 0, 1, "negative");
    refused(5, 0, 0, "0 outputs");
    refused(5, 5, 1, "1 outputs from 5 on");
    refused(5, 4, 2, "2 outputs from 4 on");
    refused(5, Integer.MAX_VALUE, 1, "outputs from");
  }

  /** Whatever bytes come under a right checksum: a frame or one refusal, never anything else. */
  @Property(tries = 500)
  void anyBytesAreAFrameOrARefusal(@ForAll long seed) {
    Random random = new Random(seed);
    ByteBuf good = encoded(MergeCodec.frames(1, list(random, 1 + random.nextInt(5), 9)).get(0));
    byte[] fields = new byte[good.readableBytes() - 8];
    good.getBytes(4, fields);
    good.release();
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      fields[1 + random.nextInt(fields.length - 1)] = (byte) random.nextInt();
    }
    CRC32C crc = new CRC32C();
    crc.update(fields);
    ByteBuf frame = Unpooled.buffer().writeInt(fields.length + 4).writeBytes(fields);
    frame.writeInt((int) crc.getValue());
    EmbeddedChannel decoder = decoder();
    try {
      decoder.writeInbound(frame);
      assertThat((Object) decoder.readInbound()).isInstanceOf(Frame.Merge.class);
    } catch (ProtocolException e) {
      assertThat(e).hasMessageNotContaining("null");
    }
    decoder.finishAndReleaseAll();
  }
}
