// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.io.ElasticByteBufferPool;

/**
 * Reads a file of HDFS in all ways that a stream has, in an order drawn at random, and tells what a
 * program can see of it: bytes, how many came at once, positions, errors and statistics.
 */
final class RandomReads {

  private static final int STEPS_OF_A_SUM = 50;
  private static final int LARGE = 150_000;

  private final Random random;
  private final HdfsDataInputStream in;
  private final FileSystem.Statistics statistics;
  private final long length;
  private final boolean fully;
  private final ElasticByteBufferPool pool = new ElasticByteBufferPool();
  private final byte[] bytes = new byte[LARGE];
  private final CRC32 sum = new CRC32();

  private RandomReads(
      long seed, HdfsDataInputStream in, FileSystem fs, long length, boolean fully) {
    this.fully = fully;
    this.random = new Random(seed);
    this.in = in;
    this.statistics = FileSystem.getStatistics(fs.getUri().getScheme(), fs.getClass());
    this.length = length;
  }

  /**
   * Reads.
   *
   * @param argument seed, number of steps, "once" or "fully" for what is done about reads that
   *     return less than was wanted, and the file, with blanks between them
   * @return sums of what was seen, one for each so many steps, and the number of bytes
   */
  static String of(String argument, Configuration conf) throws IOException {
    String[] words = argument.split(" ");
    Path path = new Path(words[3]);
    FileSystem fs = path.getFileSystem(conf);
    try (FSDataInputStream in = fs.open(path)) {
      return new RandomReads(
              Long.parseLong(words[0]),
              (HdfsDataInputStream) in,
              fs,
              fs.getFileStatus(path).getLen(),
              words[2].equals("fully"))
          .carryOut(Integer.parseInt(words[1]));
    }
  }

  private String carryOut(int steps) {
    StringBuilder sums = new StringBuilder();
    long before = statistics.getThreadStatistics().getBytesRead();
    for (int i = 1; i <= steps; i++) {
      try {
        step();
      } catch (IOException | RuntimeException e) {
        see(e.getClass().getName());
      }
      if (i % STEPS_OF_A_SUM == 0) {
        see(in.getReadStatistics().getTotalBytesRead());
        see(in.getReadStatistics().getTotalLocalBytesRead());
        see(statistics.getThreadStatistics().getBytesRead() - before);
        sums.append(Long.toHexString(sum.getValue())).append(' ');
      }
    }
    return sums.append(statistics.getThreadStatistics().getBytesRead() - before).toString();
  }

  private void step() throws IOException {
    switch (random.nextInt(22)) {
      case 0, 1, 2 -> several(() -> see(in.read()));
      case 3, 4, 5 -> several(() -> read(1 + random.nextInt(200)));
      case 6 -> several(() -> read(1 + random.nextInt(5_000)));
      case 7 -> read(1 + random.nextInt(LARGE));
      case 8 -> several(() -> see(in.readInt()));
      case 9, 10, 11, 12 -> move();
      case 13 -> pread();
      case 14 -> buffer(ByteBuffer.allocate(1 + random.nextInt(5_000)));
      case 15 -> buffer(ByteBuffer.allocateDirect(1 + random.nextInt(100_000)));
      case 16 -> mapped();
      case 17, 18, 19, 20 -> ask();
      default -> see(in.read(bytes, random.nextInt(3) - 1, random.nextInt(3) - 1));
    }
    see(in.getPos());
  }

  private void move() throws IOException {
    switch (random.nextInt(4)) {
      case 0 -> in.seek(in.getPos() + random.nextInt(5_000));
      case 1 -> in.seek(Math.max(0, in.getPos() - random.nextInt(5_000)));
      case 2 -> in.seek(random.nextInt((int) length + 10));
      default -> see(in.skip(random.nextInt(200_000) - 10));
    }
  }

  /** Another source is not asked for: where there is one replica upstream waits for seconds. */
  private void ask() throws IOException {
    switch (random.nextInt(3)) {
      case 0 -> see(in.available());
      case 1 -> in.unbuffer();
      default -> in.setReadahead((long) random.nextInt(1 << 20));
    }
  }

  private interface Reading {
    void read() throws IOException;
  }

  private void several(Reading reading) throws IOException {
    for (int i = random.nextInt(300); i >= 0; i--) {
      reading.read();
    }
  }

  private void read(int wanted) throws IOException {
    int offset = random.nextInt(LARGE - wanted + 1);
    int done = 0;
    int count;
    do {
      count = in.read(bytes, offset + done, wanted - done);
      done += Math.max(0, count);
    } while (fully && count > 0 && done < wanted);
    see(done > 0 ? done : count);
    sum.update(bytes, offset, done);
  }

  private void pread() throws IOException {
    long position = random.nextInt((int) length);
    int wanted = random.nextInt(3_000);
    Object lock = random.nextBoolean() ? in.getWrappedStream() : bytes;
    synchronized (lock) {
      int count = in.read(position, bytes, 0, wanted);
      see(count);
      sum.update(bytes, 0, Math.max(0, count));
    }
  }

  private void buffer(ByteBuffer into) throws IOException {
    int count;
    do {
      count = in.read(into);
    } while (fully && count > 0 && into.hasRemaining());
    see(into.position() > 0 ? into.position() : count);
    sum.update(into.flip());
  }

  private void mapped() throws IOException {
    ByteBuffer found =
        in.read(pool, 1 + random.nextInt(10_000), EnumSet.of(ReadOption.SKIP_CHECKSUMS));
    if (found == null) {
      see(-1);
      return;
    }
    see(found.remaining());
    sum.update(found.duplicate());
    in.releaseBuffer(found);
  }

  private void see(long value) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      sum.update((int) (value >>> shift));
    }
  }

  private void see(String text) {
    sum.update(text.getBytes(StandardCharsets.UTF_8));
  }
}
