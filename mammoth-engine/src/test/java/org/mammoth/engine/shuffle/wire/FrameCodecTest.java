// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.Leaks;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.SegmentKey;

class FrameCodecTest {

  static {
    // Whichever test makes the first buffer, those of other tests are watched.
    Leaks.watch();
  }

  private static final int MAX_CHUNK = 4096;
  private static final Nonce NONCE = Nonce.random(new SecureRandom());
  private static final Frame.Hello HELLO = new Frame.Hello(1, 1, -5, NONCE, MAX_CHUNK);
  private static final Proof PROOF = Proof.ofClient(new byte[] {1}, "job", HELLO, HELLO);
  private static final long FAR = 1L << 40;

  /** Its future is dropped: without the exception its sender's peer would wait for the answer. */
  @Test
  void aFrameThatCannotBeWrittenIsAnErrorOfTheConnection() {
    List<Throwable> caught = new ArrayList<>();
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new FrameEncoder(),
            new ChannelInboundHandlerAdapter() {
              @Override
              public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                caught.add(cause);
              }
            });
    channel.pipeline().write(new Frame.Deny(null, Reason.UNKNOWN_JOB, "who"));
    assertThat(caught).hasSize(1).first().isInstanceOf(NullPointerException.class);
    channel.finishAndReleaseAll();
  }

  private static final List<Frame> OF_CLIENT =
      List.of(
          new Frame.Auth("job_1_0001", PROOF),
          new Frame.Subscribe(1, "job_1_0001", 7, "attempt_r_0", FAR, 100),
          new Frame.Fetch(2, "job_1_0001", "attempt_m_0", 7, FAR, Long.MAX_VALUE, 5, 100, -3),
          new Frame.FetchRanges(
              List.of(
                  new Frame.Fetch(5, "job_1_0001", "attempt_m_0", 7, 0, 65_536, 65_536, 100, 0),
                  new Frame.Fetch(6, "job_1_0001", "attempt_m_0", 8, FAR, 1, 0, 100, -3),
                  new Frame.Fetch(7, "job_1_0001", "attempt_m_1", 8, 0, 0, 0, 100, 3))),
          new Frame.Want(1, 8, "attempt_r_1"),
          new Frame.Unwant(1, 8),
          new Frame.Cancel(3),
          new Frame.Accept(1, 4, FAR),
          new Frame.Refuse(1, 5, Reason.NOT_WANTED, "full"),
          new Frame.Credit(1, FAR),
          new Frame.Ping(-1),
          new Frame.Pong(-2),
          new Frame.Error(Reason.PROTOCOL, "what"));

  private static final List<Frame> OF_SERVER =
      List.of(
          new Frame.AuthOk("job_1_0001", PROOF),
          new Frame.Deny("job_1_0001", Reason.UNKNOWN_JOB, "who"),
          new Frame.Segment(1, 9, "attempt_m_0", 7, FAR + 1, FAR, 12, 1),
          new Frame.End(1, 9, FAR),
          new Frame.Nack(1, Frame.WHOLE_STREAM, Reason.BUSY, "sp\u00e4ter"));

  private static ByteBuf bytes(List<Frame> frames) {
    EmbeddedChannel encoder = new EmbeddedChannel(new FrameEncoder());
    ByteBuf all = Unpooled.buffer();
    encoder.writeOutbound(HELLO);
    frames.forEach(encoder::writeOutbound);
    for (ByteBuf one = encoder.readOutbound(); one != null; one = encoder.readOutbound()) {
      all.writeBytes(one);
      one.release();
    }
    encoder.finishAndReleaseAll();
    return all;
  }

  private static EmbeddedChannel decoder(Frame.Sender from) {
    return new EmbeddedChannel(new FrameDecoder(from, MAX_CHUNK));
  }

  private static void expect(EmbeddedChannel decoder, List<Frame> frames) {
    assertThat((Object) decoder.readInbound()).isEqualTo(HELLO);
    for (Frame frame : frames) {
      assertThat((Object) decoder.readInbound()).isEqualTo(frame);
    }
    assertThat((Object) decoder.readInbound()).isNull();
    decoder.finishAndReleaseAll();
  }

  @Test
  void everyFrameComesOutAsItWentIn() {
    EmbeddedChannel client = decoder(Frame.Sender.CLIENT);
    client.writeInbound(bytes(OF_CLIENT));
    expect(client, OF_CLIENT);
    EmbeddedChannel server = decoder(Frame.Sender.SERVER);
    server.writeInbound(bytes(OF_SERVER));
    expect(server, OF_SERVER);
  }

  @Property(tries = 50)
  void framesSurviveAnyCutting(@ForAll @IntRange(min = 1, max = 40) int piece) {
    ByteBuf all = bytes(OF_CLIENT);
    EmbeddedChannel decoder = decoder(Frame.Sender.CLIENT);
    while (all.isReadable()) {
      decoder.writeInbound(all.readBytes(Math.min(piece, all.readableBytes())));
    }
    all.release();
    expect(decoder, OF_CLIENT);
  }

  @Test
  void aChunkCarriesItsDataAndChecksum() throws IOException {
    byte[] key = new SegmentKey("job_1_0001", "attempt_m_0", 3).bytes();
    byte[] data = new byte[1000];
    new Random(1).nextBytes(data);
    EmbeddedChannel decoder = decoder(Frame.Sender.SERVER);
    decoder.writeInbound(bytes(List.of()));
    decoder.readInbound();
    decoder.writeInbound(
        ChunkFrames.build(
            UnpooledByteBufAllocator.DEFAULT,
            5,
            6,
            FAR,
            data.length,
            new ChunkChecksum(key),
            into -> into.put(data)));
    Frame.Chunk chunk = decoder.readInbound();
    assertThat(chunk.stream()).isEqualTo(5);
    assertThat(chunk.segment()).isEqualTo(6);
    assertThat(chunk.offset()).isEqualTo(FAR);
    byte[] got = new byte[data.length];
    chunk.data().getBytes(chunk.data().readerIndex(), got);
    assertThat(got).isEqualTo(data);
    ChunkChecksum same = new ChunkChecksum(key);
    assertThat(same.of(FAR, chunk.data().nioBuffer())).isEqualTo(chunk.checksum());
    assertThat(same.of(FAR + 1, chunk.data().nioBuffer())).isNotEqualTo(chunk.checksum());
    ChunkChecksum other = new ChunkChecksum(new SegmentKey("job_1_0001", "attempt_m_1", 3).bytes());
    assertThat(other.of(FAR, chunk.data().nioBuffer())).isNotEqualTo(chunk.checksum());
    chunk.data().release();
    decoder.finishAndReleaseAll();
  }

  @Test
  void aSourceThatLeavesBytesOutMakesNoFrame() {
    assertThatThrownBy(
            () ->
                ChunkFrames.build(
                    UnpooledByteBufAllocator.DEFAULT,
                    1,
                    0,
                    0,
                    10,
                    new ChunkChecksum(new byte[0]),
                    into -> into.put((byte) 1)))
        .hasMessageContaining("9 bytes are missing");
  }

  /** Whatever comes, the decoder ends in frames or one clean error, and keeps at most one frame. */
  @Property(tries = 500)
  void anyBytesGiveFramesOrOneError(
      @ForAll @Size(max = 6000) byte[] noise, @ForAll boolean greeted) {
    EmbeddedChannel decoder = decoder(Frame.Sender.SERVER);
    if (greeted) {
      decoder.writeInbound(bytes(List.of()));
    }
    feed(decoder, Unpooled.copiedBuffer(noise));
  }

  /** One changed bit of a good conversation never passes as another frame. */
  @Property(tries = 500)
  void aFlippedBitIsNoticed(@ForAll @IntRange(max = 2_000_000) int where) {
    ByteBuf all = bytes(OF_SERVER);
    int bit = where % (all.readableBytes() * 8);
    all.setByte(bit / 8, all.getByte(bit / 8) ^ 1 << bit % 8);
    EmbeddedChannel decoder = decoder(Frame.Sender.SERVER);
    int length = all.readableBytes();
    List<Object> frames = feed(decoder, all);
    boolean leftToReader = false;
    for (int i = 0; i < frames.size(); i++) {
      // A changed type may make a control frame look like a chunk, whose checksum is its reader's.
      if (frames.get(i) instanceof Frame.Chunk) {
        leftToReader = true;
      } else {
        assertThat(frames.get(i)).isEqualTo(i == 0 ? HELLO : OF_SERVER.get(i - 1));
      }
    }
    assertThat(frames.size() <= OF_SERVER.size() || leftToReader)
        .as("bit %s was noticed", bit)
        .isTrue();
    assertThat(length).isPositive();
  }

  private static List<Object> feed(EmbeddedChannel decoder, ByteBuf all) {
    List<Object> frames = new java.util.ArrayList<>();
    int errors = 0;
    while (all.isReadable()) {
      try {
        decoder.writeInbound(all.readBytes(Math.min(512, all.readableBytes())));
      } catch (ProtocolException e) {
        errors++;
      }
      for (Object one = decoder.readInbound(); one != null; one = decoder.readInbound()) {
        frames.add(one);
        if (one instanceof Frame.Chunk chunk) {
          chunk.data().release();
        }
      }
    }
    all.release();
    assertThat(errors).isLessThanOrEqualTo(1);
    decoder.finishAndReleaseAll();
    return frames;
  }

  @Test
  void aFrameLongerThanItsTypeAllowsIsRefusedBeforeItIsRead() {
    EmbeddedChannel decoder = decoder(Frame.Sender.SERVER);
    decoder.writeInbound(bytes(List.of()));
    ByteBuf head = Unpooled.buffer().writeInt(Integer.MAX_VALUE).writeByte(Wire.NACK);
    assertThatThrownBy(() -> decoder.writeInbound(head)).hasMessageContaining("at most 2048");
    decoder.finishAndReleaseAll();
  }

  @Test
  void anUnknownTypeAndAWrongDirectionAreNamed() {
    for (int type : new int[] {77, Wire.CHUNK}) {
      EmbeddedChannel decoder = decoder(Frame.Sender.CLIENT);
      decoder.writeInbound(bytes(List.of()));
      ByteBuf head = Unpooled.buffer().writeInt(100).writeByte(type);
      assertThatThrownBy(() -> decoder.writeInbound(head))
          .isInstanceOf(ProtocolException.class)
          .hasMessageContaining(String.valueOf(type));
      decoder.finishAndReleaseAll();
    }
  }

  @Test
  void namesThatCouldBePathsAreRefused() {
    for (String name : List.of("../../etc/passwd", "a/b", "", ".hidden", "a\nb")) {
      EmbeddedChannel decoder = decoder(Frame.Sender.CLIENT);
      ByteBuf all = bytes(List.of(new Frame.Auth(name, PROOF)));
      assertThatThrownBy(() -> decoder.writeInbound(all))
          .as(name)
          .isInstanceOf(ProtocolException.class);
      decoder.finishAndReleaseAll();
    }
  }

  @Test
  void aLongExplanationIsCutNotRefused() {
    EmbeddedChannel decoder = decoder(Frame.Sender.SERVER);
    decoder.writeInbound(bytes(List.of(new Frame.Error(Reason.BUSY, "\u20ac".repeat(5000)))));
    decoder.readInbound();
    assertThat(((Frame.Error) decoder.readInbound()).text())
        .startsWith("\u20ac\u20ac")
        .hasSize(341);
    decoder.finishAndReleaseAll();
  }

  @Test
  void proofsFitOneSideOneJobAndOnePairOfNonces() {
    byte[] secret = {1, 2, 3};
    Frame.Hello other = new Frame.Hello(1, 1, -5, Nonce.random(new SecureRandom()), MAX_CHUNK);
    Proof proof = Proof.ofClient(secret, "job_a", HELLO, other);
    assertThat(proof).isEqualTo(Proof.ofClient(secret, "job_a", HELLO, other));
    assertThat(
            List.of(
                Proof.ofServer(secret, "job_a", HELLO, other),
                Proof.ofClient(secret, "job_b", HELLO, other),
                Proof.ofClient(secret, "job_a", other, HELLO),
                Proof.ofClient(secret, "job_a", HELLO, HELLO),
                Proof.ofClient(new byte[] {9}, "job_a", HELLO, other)))
        .doesNotContain(proof);
  }

  @Test
  void sidesWithoutACommonVersionFindNone() {
    Frame.Hello newer = new Frame.Hello(2, 3, 0, NONCE, MAX_CHUNK);
    assertThat(Wire.commonVersion(HELLO, newer)).isZero();
    assertThat(Wire.commonVersion(HELLO, new Frame.Hello(1, 3, 0, NONCE, MAX_CHUNK))).isEqualTo(1);
  }
}
