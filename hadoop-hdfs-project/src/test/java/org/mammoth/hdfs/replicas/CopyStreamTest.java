// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.SsdReads;

/** Copies whose bytes change in place between the comparison and the socket. */
class CopyStreamTest {

  private static final int LENGTH = 200_003;
  private static final int PACKET = 64 << 10;
  private static final int CHUNK = 512;

  @TempDir Path folder;

  private final BlockKey key = new BlockKey("BP-1", 1, 1001, LENGTH);
  private final byte[] bytes = new byte[LENGTH];
  private final AtomicLong served = new AtomicLong();
  private final AtomicInteger distrusted = new AtomicInteger();
  private Path copy;
  private Path replica;
  private Path sums;

  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(bytes);
    replica = Files.write(folder.resolve("replica"), bytes);
    copy = Files.write(folder.resolve("copy"), bytes);
    DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK);
    byte[] all = new byte[(LENGTH + CHUNK - 1) / CHUNK * checksum.getChecksumSize()];
    checksum.calculateChunkedSums(bytes, 0, LENGTH, all, 0);
    ByteArrayOutputStream meta = new ByteArrayOutputStream();
    meta.write(new byte[] {0, 1});
    meta.write(checksum.getHeader());
    meta.write(all);
    sums = Files.write(folder.resolve("meta"), meta.toByteArray());
  }

  private final Replicas replicas =
      new Replicas() {
        @Override
        public Optional<BlockKey> finalized(String pool, long blockId) {
          return Optional.of(key);
        }

        @Override
        public InputStream data(BlockKey of, long offset) throws IOException {
          InputStream data = Files.newInputStream(replica);
          data.skipNBytes(offset);
          return data;
        }

        @Override
        public FileInputStream checksums(BlockKey of) throws IOException {
          return new FileInputStream(sums.toFile());
        }

        @Override
        public Closeable hold(BlockKey of) {
          return () -> {};
        }
      };

  /** A socket that takes what it likes, and has the copy spoilt whenever it has taken something. */
  private final class Socket implements WritableByteChannel {
    final ByteArrayOutputStream received = new ByteArrayOutputStream();
    final Random random;
    final int most;

    Socket(long seed, int most) {
      random = new Random(seed);
      this.most = most;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      int n = Math.min(from.remaining(), random.nextInt(most + 1));
      byte[] taken = new byte[n];
      from.get(taken);
      received.write(taken);
      if (n > 0) {
        spoil(random);
      }
      return n;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private void spoil(Random random) throws IOException {
    try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      byte[] wrong = new byte[CHUNK];
      random.nextBytes(wrong);
      int at = random.nextInt(LENGTH - CHUNK);
      channel.write(ByteBuffer.wrap(wrong), at);
    }
  }

  /** Sends as the DataNode does: packet by packet, each until all of it is taken. */
  private byte[] send(long from, Socket socket, boolean zeroCopy) throws IOException {
    FileInputStream file = new FileInputStream(copy.toFile());
    file.getChannel().position(from);
    try (FileInputStream stream =
        CopyStream.open(
                key,
                file,
                SsdReads.unwatched(),
                replicas,
                served::addAndGet,
                distrusted::incrementAndGet,
                zeroCopy)
            .orElseThrow()) {
      FileChannel channel = stream.getChannel();
      long position = from;
      while (position < LENGTH) {
        long end = Math.min(LENGTH, position + PACKET);
        while (position < end) {
          position += channel.transferTo(position, end - position, socket);
        }
      }
      return socket.received.toByteArray();
    }
  }

  @Test
  void whatChangesAfterItWasComparedIsNotSent() throws IOException {
    int found = 0;
    for (int seed = 0; seed < 200; seed++) {
      Files.write(copy, bytes);
      distrusted.set(0);
      served.set(0);
      int from = seed % 3 == 0 ? 0 : new Random(seed).nextInt(LENGTH);
      Socket socket = new Socket(seed, seed % 2 == 0 ? 20_000 : 100_000);
      assertThat(send(from, socket, false))
          .as("seed %d", seed)
          .isEqualTo(Arrays.copyOfRange(bytes, from, LENGTH));
      assertThat(distrusted.get()).as("seed %d", seed).isLessThanOrEqualTo(1);
      assertThat(served.get()).isLessThanOrEqualTo(LENGTH - from);
      found += distrusted.get();
    }
    assertThat(found).as("copies found bad").isGreaterThan(50);
  }

  /** Why the key is there: pages are shared with whoever writes to them. */
  @Test
  void pagesAreSentAsTheyAreAtThatMoment() throws IOException {
    int wrong = 0;
    for (int seed = 0; seed < 50; seed++) {
      Files.write(copy, bytes);
      wrong += Arrays.equals(send(0, new Socket(seed, 20_000), true), bytes) ? 0 : 1;
    }
    assertThat(wrong).isPositive();
  }

  private FileInputStream open() throws IOException {
    return CopyStream.open(
            key,
            new FileInputStream(copy.toFile()),
            SsdReads.unwatched(),
            replicas,
            served::addAndGet,
            distrusted::incrementAndGet,
            false)
        .orElseThrow();
  }

  /** As all readers are when a DataNode stops. */
  @Test
  void anInterruptedReaderBlamesNoCopy() throws IOException {
    try (FileInputStream stream = open()) {
      assertThat(stream.read(new byte[100])).isEqualTo(100);
      Thread.currentThread().interrupt();
      try {
        stream.getChannel().transferTo(PACKET, PACKET, new Socket(1, PACKET));
      } catch (IOException e) {
        assertThat(e).isInstanceOf(ClosedChannelException.class);
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
    }
    assertThat(distrusted).hasValue(0);
  }

  @Test
  void checksumsThatCannotBeReadAreNotTheCopysFault() throws IOException {
    try (FileInputStream stream = open()) {
      try (FileChannel cut = FileChannel.open(sums, StandardOpenOption.WRITE)) {
        cut.truncate(100);
      }
      assertThat(stream.readAllBytes()).isEqualTo(bytes);
    }
    assertThat(distrusted).hasValue(0);
  }

  @Test
  void aCopyThatIsCutIsDistrusted() throws IOException {
    try (FileInputStream stream = open()) {
      try (FileChannel cut = FileChannel.open(copy, StandardOpenOption.WRITE)) {
        cut.truncate(100);
      }
      byte[] all = new byte[LENGTH];
      assertThat(stream.readNBytes(all, 0, LENGTH)).isEqualTo(LENGTH);
      assertThat(all).isEqualTo(bytes);
    }
    assertThat(distrusted).hasValue(1);
  }

  @Test
  void anUnchangedCopyIsSentWholeEitherWay() throws IOException {
    for (boolean zeroCopy : new boolean[] {true, false}) {
      served.set(0);
      FileInputStream file = new FileInputStream(copy.toFile());
      try (FileInputStream stream =
          CopyStream.open(
                  key,
                  file,
                  SsdReads.unwatched(),
                  replicas,
                  served::addAndGet,
                  distrusted::incrementAndGet,
                  zeroCopy)
              .orElseThrow()) {
        Path target = folder.resolve("sent-" + zeroCopy);
        try (FileChannel out =
            FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
          long position = 0;
          while (position < LENGTH) {
            position += stream.getChannel().transferTo(position, LENGTH - position, out);
          }
          assertThat(stream.getChannel().transferTo(LENGTH, 10, out)).isZero();
        }
        assertThat(Files.readAllBytes(target)).isEqualTo(bytes);
      }
      assertThat(served).hasValue(LENGTH);
    }
    assertThat(distrusted).hasValue(0);
  }
}
