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
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.Leaks;

class RangesCodecTest {

  static {
    // Whichever test makes the first buffer, those of other tests are watched.
    Leaks.watch();
  }

  private static final String JOB = "job_1700000000000_0001";

  private static EmbeddedChannel decoder() {
    EmbeddedChannel decoder = new EmbeddedChannel(new FrameDecoder(Frame.Sender.CLIENT, 4096));
    EmbeddedChannel encoder = new EmbeddedChannel(new FrameEncoder());
    encoder.writeOutbound(new Frame.Hello(1, 2, 9, Nonce.random(new SecureRandom()), 4096));
    decoder.writeInbound((Object) encoder.readOutbound());
    assertThat((Object) decoder.readInbound()).isInstanceOf(Frame.Hello.class);
    encoder.finishAndReleaseAll();
    return decoder;
  }

  private static ByteBuf encoded(Frame frame) {
    EmbeddedChannel encoder = new EmbeddedChannel(new FrameEncoder());
    encoder.writeOutbound(frame);
    ByteBuf bytes = encoder.readOutbound();
    encoder.finishAndReleaseAll();
    return bytes;
  }

  private static List<Frame.Fetch> random(Random random, int count, int nameLength) {
    List<Frame.Fetch> ranges = new ArrayList<>();
    String attempt = "a";
    for (int i = 0; i < count; i++) {
      if (random.nextInt(3) > 0) {
        attempt = "a" + "x".repeat(random.nextInt(nameLength)) + i;
      }
      ranges.add(
          new Frame.Fetch(
              1 + random.nextInt(Integer.MAX_VALUE),
              JOB,
              attempt,
              random.nextInt() >>> 1,
              random.nextLong() >>> 1,
              random.nextLong() >>> 1,
              random.nextLong() >>> 1,
              4096,
              random.nextLong()));
    }
    return ranges;
  }

  /** However many and whatever their names: bounded frames, nothing lost, order kept. */
  @Property(tries = 40)
  void rangesComeOutAsTheyWentInFromBoundedFrames(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 1500) int count,
      @ForAll @IntRange(min = 1, max = 250) int nameLength) {
    List<Frame.Fetch> ranges = random(new Random(seed), count, nameLength);
    List<Frame.Fetch> got = new ArrayList<>();
    EmbeddedChannel decoder = decoder();
    for (Frame.FetchRanges frame : RangesCodec.frames(ranges)) {
      ByteBuf bytes = encoded(frame);
      assertThat(bytes.readableBytes()).isLessThanOrEqualTo(4 + Wire.MAX_RANGES_BYTES);
      assertThat(frame.ranges().size()).isLessThanOrEqualTo(Wire.MAX_RANGES);
      decoder.writeInbound(bytes);
      got.addAll(((Frame.FetchRanges) decoder.readInbound()).ranges());
    }
    assertThat(got).isEqualTo(ranges);
    decoder.finishAndReleaseAll();
  }

  /** Any fields under a right checksum end in one frame or one clean error. */
  @Property(tries = 500)
  void anyFieldsGiveAFrameOrOneError(
      @ForAll @Size(max = 400) byte[] noise, @ForAll boolean afterHead) {
    ByteBuf body = Unpooled.buffer().writeByte(Wire.FETCH_RANGES);
    if (afterHead) {
      FrameEncoder.name(body, JOB).writeInt(4096).writeShort(noise.length % 5);
    }
    body.writeBytes(noise);
    CRC32C crc = new CRC32C();
    crc.update(body.nioBuffer());
    ByteBuf all = Unpooled.buffer().writeInt(body.readableBytes() + 4).writeBytes(body);
    all.writeInt((int) crc.getValue());
    EmbeddedChannel decoder = decoder();
    try {
      decoder.writeInbound(all);
      assertThat(((Frame.FetchRanges) decoder.readInbound()).ranges()).isNotEmpty();
    } catch (ProtocolException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
    decoder.finishAndReleaseAll();
  }

  @Test
  void aFrameCutAnywhereOrOneBitOffIsNoFrame() {
    Frame frame = new Frame.FetchRanges(random(new Random(3), 4, 40));
    ByteBuf good = encoded(frame);
    for (int bit = 8 * 4; bit < good.readableBytes() * 8; bit++) {
      ByteBuf bad = good.copy();
      bad.setByte(bit / 8, bad.getByte(bit / 8) ^ 1 << bit % 8);
      EmbeddedChannel decoder = decoder();
      // A type may become one of which more bytes are awaited; nothing else is let through.
      try {
        decoder.writeInbound(bad);
      } catch (ProtocolException e) {
        assertThat(e).hasMessageMatching(".*(changed|type|does not come).*");
      }
      assertThat((Object) decoder.readInbound()).as("bit %s", bit).isNull();
      decoder.finishAndReleaseAll();
    }
    good.release();
  }

  @Test
  void aFrameLongerThanAllowedIsRefusedBeforeItIsRead() {
    EmbeddedChannel decoder = decoder();
    ByteBuf head =
        Unpooled.buffer().writeInt(Wire.MAX_RANGES_BYTES + 1).writeByte(Wire.FETCH_RANGES);
    assertThatThrownBy(() -> decoder.writeInbound(head)).hasMessageContaining("at most 65536");
    decoder.finishAndReleaseAll();
  }
}
