// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.io.FileSums;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.io.RangeReads;
import org.mammoth.engine.io.RangeSettings;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.OutputSegment;
import org.mammoth.engine.send.PartitionIndex;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.server.Pusher;
import org.mammoth.engine.shuffle.server.Readers;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.shuffle.server.ServerSettings;
import org.mammoth.engine.shuffle.server.ShuffleServer;

/** Real files on two disks, served range by range by the I/O scheduler. */
class ServedFilesTest {

  private static final int PARTITIONS = 20;
  private static final int PARTITION_BYTES = 50_000;

  /** The last partition of a file does not fit its checksum. */
  private static final int DAMAGED = PARTITIONS - 1;

  @TempDir Path dir;

  private final Rig rig = new Rig();
  private final Map<String, MapOutput> outputs = new HashMap<>();
  private final Map<String, byte[]> contents = new HashMap<>();
  private IoScheduler io;
  private RangeReads ranges;

  @BeforeEach
  void start() throws IOException {
    rig.conf.setInt("mammoth.shuffle.server.buffer-bytes", 128 << 10);
    rig.conf.setInt("mammoth.shuffle.connection.buffer-bytes", 64 << 10);
    rig.start();
    rig.server.close();
    List<Path> disks = List.of(dir.resolve("d1"), dir.resolve("d2"));
    for (Path disk : disks) {
      Files.createDirectories(disk);
    }
    io =
        IoScheduler.builder(IoSettings.of(new Configuration(false), 2 << 20), disks)
            .disks(disk -> disk.getFileName().toString())
            .spinning(disk -> true)
            .threads(ServedFilesTest::daemon)
            .build();
    ranges = io.openRanges(RangeSettings.of(new Configuration(false)), "other nodes");
    rig.server =
        new ShuffleServer(
            ServerSettings.from(rig.conf),
            rig.serverSecrets::get,
            new Source(),
            new Pusher(),
            () -> null,
            rig.loops,
            rig.segmentReaders,
            System::nanoTime);
    rig.address = rig.server.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    io.close();
    rig.close();
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "disk");
    thread.setDaemon(true);
    return thread;
  }

  private static InputStream open(String path, long from, long length) throws IOException {
    InputStream in = Files.newInputStream(Path.of(path));
    in.skipNBytes(from);
    return in;
  }

  /** As map outputs have it; a damaged one has not. */
  private static void endWithAChecksum(byte[] content, int partition) {
    int end = (partition + 1) * PARTITION_BYTES - Integer.BYTES;
    CRC32 sum = new CRC32();
    sum.update(content, partition * PARTITION_BYTES, end - partition * PARTITION_BYTES);
    ByteBuffer.wrap(content).putInt(end, (int) sum.getValue());
  }

  private final class Source implements SegmentSource {
    @Override
    public Segment find(String job, String mapAttempt, int partition) throws IOException {
      MapOutput output = outputs.get(mapAttempt);
      return output == null
          ? rig.source.find(job, mapAttempt, partition)
          : new OutputSegment(
              output, partition, ServedFilesTest::open, mapAttempt.substring(0, 2), ranges);
    }

    @Override
    public String waitsFor(String job, String mapAttempt) {
      return outputs.containsKey(mapAttempt) ? mapAttempt.substring(0, 2) : Readers.MEMORY;
    }
  }

  private void add(String attempt, boolean summed) throws IOException {
    byte[] content = new byte[PARTITIONS * PARTITION_BYTES];
    new Random(attempt.hashCode()).nextBytes(content);
    for (int partition = 0; partition < DAMAGED; partition++) {
      endWithAChecksum(content, partition);
    }
    contents.put(attempt, content);
    Path path = dir.resolve(attempt.substring(0, 2)).resolve(attempt);
    Files.write(path, content);
    add(attempt, path, summed ? content : null);
  }

  private void add(String attempt, Path path, byte[] content) {
    PartitionIndex index = new PartitionIndex(PARTITIONS);
    for (int p = 0; p < PARTITIONS; p++) {
      index.set(p, (long) p * PARTITION_BYTES, PARTITION_BYTES, PARTITION_BYTES);
    }
    outputs.put(
        attempt,
        new MapOutput(
            Rig.JOB,
            attempt,
            path.toString(),
            index,
            null,
            content == null ? null : FileSums.of(content)));
  }

  private byte[] expected(SegmentKey key, int from, int to) {
    int start = key.partition() * PARTITION_BYTES;
    return Arrays.copyOfRange(contents.get(key.mapAttempt()), start + from, start + to);
  }

  @Test
  void headersAndThenTheRestOfManySegmentsAreTheFilesBytes() throws Exception {
    List<FetchRequest> heads = new ArrayList<>();
    List<Collected> sinks = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String attempt = "d" + (1 + i % 2) + "_" + i;
      add(attempt, i % 3 > 0);
      for (int p = 0; p < PARTITIONS; p++) {
        heads.add(FetchRequest.range(new SegmentKey(Rig.JOB, attempt, p), 0, 4096));
        sinks.add(new Collected());
      }
    }
    List<Fetch> fetches = rig.client.fetchAll(rig.address, heads, sinks);
    List<FetchRequest> rests = new ArrayList<>();
    for (int i = 0; i < heads.size(); i++) {
      SegmentInfo info = Failures.get(fetches.get(i).future());
      assertThat(info.partLength()).isEqualTo(PARTITION_BYTES);
      boolean summed = outputs.get(info.key().mapAttempt()).isVerified();
      assertThat(info.isUnverified())
          .as(info.key().toString())
          .isEqualTo(!summed && info.key().partition() == DAMAGED);
      assertThat(sinks.get(i).bytes()).isEqualTo(expected(info.key(), 0, 4096));
      rests.add(new FetchRequest(info.key(), 4096, Long.MAX_VALUE, info.identity(), false));
    }
    fetches = rig.client.fetchAll(rig.address, rests, sinks);
    for (int i = 0; i < heads.size(); i++) {
      Failures.get(fetches.get(i).future());
      assertThat(sinks.get(i).bytes()).isEqualTo(expected(heads.get(i).key(), 0, PARTITION_BYTES));
    }
    assertThat(ranges.openFiles()).as("stay open").isEqualTo(12);
  }

  /** Opening a pipe that nobody writes to hangs, as a disk may. */
  @Test
  void aDiskThatHangsKeepsNobodyElseWaiting() throws Exception {
    Path pipe = dir.resolve("d1").resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    add("d1_hangs", pipe, null);
    add("d2_well", true);
    List<FetchRequest> requests = new ArrayList<>();
    List<Collected> sinks = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      requests.add(FetchRequest.whole(new SegmentKey(Rig.JOB, "d1_hangs", i % PARTITIONS)));
      sinks.add(new Collected());
    }
    List<Fetch> hung = rig.client.fetchAll(rig.address, requests, sinks);
    SegmentKey inMemory = rig.source.add(Rig.JOB, "in_memory", 0, PARTITION_BYTES);
    SegmentKey onDisk = new SegmentKey(Rig.JOB, "d2_well", 3);
    for (SegmentKey key : List.of(inMemory, onDisk)) {
      Collected sink = new Collected();
      rig.client
          .fetch(rig.address, FetchRequest.whole(key), sink)
          .future()
          .get(20, TimeUnit.SECONDS);
      assertThat(sink.bytes())
          .isEqualTo(
              key == inMemory
                  ? TestSource.bytes(key, 0, PARTITION_BYTES)
                  : expected(key, 0, PARTITION_BYTES));
    }
    assertThat(hung).noneMatch(fetch -> fetch.future().isDone());
    new FileOutputStream(pipe.toFile()).close();
    for (Fetch fetch : hung) {
      assertThat(Failures.of(fetch.future(), FetchException.class).reason())
          .isEqualTo(Reason.IO_ERROR);
    }
  }
}
