// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.hdfs.CacheCluster.BLOCK;
import static org.mammoth.hdfs.CacheCluster.bytes;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.unix.DomainSocket;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * How bytes of copies leave a DataNode: through a socket while they change in place, and as open
 * files for clients on its own host.
 */
class TransferTest {

  private static final int MAX_VERSION = 1;

  @TempDir static Path folder;
  private static CacheCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = CacheCluster.conf();
    conf.setBoolean("mammoth.mpcache.zero-copy", false);
    conf.set(
        "dfs.block.local-path-access.user",
        UserGroupInformation.getCurrentUser().getShortUserName());
    if (domainSockets()) {
      DomainSocket.disableBindPathValidation();
      conf.set("dfs.domain.socket.path", folder.resolve("dn._PORT").toString());
      conf.setBoolean("dfs.client.read.shortcircuit", true);
    }
    cluster = CacheCluster.start(folder, conf, 1, "64m");
    // The DataNode listens there now; clients use it where a test says so.
    cluster.hdfs().getConfiguration(0).setBoolean("dfs.client.read.shortcircuit", false);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Only with Hadoop's native library, which {@code -Djava.library.path} names. */
  static boolean domainSockets() {
    return DomainSocket.getLoadingFailureReason() == null;
  }

  private static LocatedBlock located(String file) throws IOException {
    return cluster.fs().getClient().getLocatedBlocks(file, 0, Long.MAX_VALUE).get(0);
  }

  /** What the DataNode sends through its domain socket: open files of a block and its checksums. */
  private static FileInputStream[] descriptors(LocatedBlock block) throws Exception {
    DataNode datanode = cluster.hdfs().getDataNodes().get(0);
    Field disabled = DataNode.class.getDeclaredField("fileDescriptorPassingDisabledReason");
    disabled.setAccessible(true);
    disabled.set(datanode, null);
    Method method =
        DataNode.class.getDeclaredMethod(
            "requestShortCircuitFdsForRead", ExtendedBlock.class, Token.class, int.class);
    method.setAccessible(true);
    FutureTask<Object> task =
        new FutureTask<>(
            () -> method.invoke(datanode, block.getBlock(), block.getBlockToken(), MAX_VERSION));
    new Thread(
            task, "DataXceiver for client x at /127.0.0.1:1 [Passing file descriptors for block b]")
        .start();
    return (FileInputStream[]) task.get();
  }

  private static Path fileOf(FileInputStream stream) throws Exception {
    Field number = FileDescriptor.class.getDeclaredField("fd");
    number.setAccessible(true);
    return Files.readSymbolicLink(Path.of("/proc/self/fd/" + number.get(stream.getFD())));
  }

  /** Reads as the client does: by positions, each chunk compared with its checksum. */
  private static byte[] content(FileInputStream[] passed) throws IOException {
    var data = passed[0].getChannel();
    var meta = passed[1].getChannel();
    ByteBuffer bytes = ByteBuffer.allocate((int) data.size());
    data.read(bytes, 0);
    ByteBuffer sums = ByteBuffer.allocate((int) meta.size() - BlockMetadataHeader.getHeaderSize());
    meta.read(sums, BlockMetadataHeader.getHeaderSize());
    BlockMetadataHeader.preadHeader(meta)
        .getChecksum()
        .verifyChunkedSums(bytes.flip(), sums.flip(), "a passed file", 0);
    return bytes.array();
  }

  private static void close(FileInputStream[] passed) throws IOException {
    for (FileInputStream stream : passed) {
      stream.close();
    }
  }

  private static void append(String file, byte[] more) throws IOException {
    try (FSDataOutputStream out = cluster.fs().append(new org.apache.hadoop.fs.Path(file))) {
      out.write(more);
    }
  }

  @Test
  void theFileThatIsPassedIsThatOfTheReplicasStateNow() throws Exception {
    byte[] bytes = bytes(1, BLOCK / 2 + 100);
    cluster.write("/fd/f", bytes);
    FileInputStream[] replica = descriptors(located("/fd/f"));
    assertThat(fileOf(replica[0])).startsWith(folder.resolve("hdfs"));
    assertThat(content(replica)).isEqualTo(bytes);
    close(replica);
    cluster.warm("/fd/f", bytes);

    ExtendedBlock first = located("/fd/f").getBlock();
    FileInputStream[] old = descriptors(located("/fd/f"));
    if (domainSockets()) {
      // This caller has no part in the shared memory, so that it could not be told of the append.
      assertThat(fileOf(old[0])).startsWith(folder.resolve("hdfs"));
      close(old);
      return;
    }
    assertThat(fileOf(old[0])).startsWith(cluster.ssd(0));
    assertThat(fileOf(old[0]).getFileName().toString())
        .startsWith(
            "blk_%d_%d_%d_"
                .formatted(first.getBlockId(), first.getGenerationStamp(), bytes.length));
    assertThat(fileOf(old[1])).as("checksums").startsWith(cluster.ssd(0));
    assertThat(content(old)).isEqualTo(bytes);

    byte[] longer = Arrays.copyOf(bytes, bytes.length + 5);
    append("/fd/f", new byte[5]);
    ExtendedBlock second = located("/fd/f").getBlock();
    assertThat(second.getBlockId()).isEqualTo(first.getBlockId());
    assertThat(second.getGenerationStamp()).isGreaterThan(first.getGenerationStamp());
    FileInputStream[] appended = descriptors(located("/fd/f"));
    assertThat(fileOf(appended[0])).startsWith(folder.resolve("hdfs"));
    assertThat(content(appended)).isEqualTo(longer);
    close(appended);
    assertThat(content(old)).as("what a client has open stays as it is").isEqualTo(bytes);
    close(old);

    cluster.warm("/fd/f", longer);
    FileInputStream[] again = descriptors(located("/fd/f"));
    assertThat(fileOf(again[0]).getFileName().toString())
        .startsWith(
            "blk_%d_%d_%d_"
                .formatted(second.getBlockId(), second.getGenerationStamp(), longer.length));
    assertThat(content(again)).isEqualTo(longer);
    close(again);
  }

  @Test
  void localReadsByPathReadTheReplica() throws Exception {
    byte[] bytes = bytes(2, 2 * BLOCK + 3);
    cluster.write("/path/f", bytes);
    cluster.warm("/path/f", bytes);
    long hits = cluster.hits();
    Configuration conf = client("by-path");
    conf.setBoolean("dfs.client.use.legacy.blockreader.local", true);
    assertThat(readLocally(conf, "/path/f")).isEqualTo(bytes);
    assertThat(cluster.hits()).isEqualTo(hits);
  }

  /** A client that shares no open files with others. */
  private static Configuration client(String name) {
    Configuration conf = new Configuration(cluster.hdfs().getConfiguration(0));
    conf.setBoolean("dfs.client.read.shortcircuit", true);
    conf.set("dfs.client.context", name);
    return conf;
  }

  private static byte[] readLocally(Configuration conf, String file) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(conf);
        HdfsDataInputStream in =
            (HdfsDataInputStream) fs.open(new org.apache.hadoop.fs.Path(file))) {
      byte[] bytes = in.readAllBytes();
      assertThat(in.getReadStatistics().getTotalShortCircuitBytesRead())
          .as("bytes that came through no socket")
          .isEqualTo(bytes.length);
      return bytes;
    }
  }

  @Test
  @EnabledIf("domainSockets")
  void clientsOnTheHostReadTheCopiesThemselves() throws Exception {
    byte[] bytes = bytes(3, 2 * BLOCK + 70_000);
    cluster.write("/local/f", bytes);
    int clients = 0;
    long before = cluster.hits();
    while (cluster.hits() < before + 3) {
      assertThat(readLocally(client("local-" + clients++), "/local/f")).isEqualTo(bytes);
      assertThat(clients).as("clients before the copies were used").isLessThan(100);
    }
    String longLived = "long-lived";
    assertThat(readLocally(client(longLived), "/local/f")).isEqualTo(bytes);
    byte[] more = bytes(4, 9_000);
    Configuration slow = client("in-the-middle");
    slow.setInt("dfs.client.read.shortcircuit.buffer.size", 4096);
    try (FileSystem fs = FileSystem.newInstance(slow);
        FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path("/local/f"))) {
      in.seek(2 * BLOCK);
      byte[] head = in.readNBytes(1_000);
      append("/local/f", more);
      byte[] rest = in.readAllBytes();
      assertThat(head).isEqualTo(Arrays.copyOfRange(bytes, 2 * BLOCK, 2 * BLOCK + 1_000));
      assertThat(rest).isEqualTo(Arrays.copyOfRange(bytes, 2 * BLOCK + 1_000, bytes.length));
    }
    byte[] now = Arrays.copyOf(bytes, bytes.length + more.length);
    System.arraycopy(more, 0, now, bytes.length, more.length);
    assertThat(readLocally(client(longLived), "/local/f")).isEqualTo(now);
    assertThat(readLocally(client("fresh"), "/local/f")).isEqualTo(now);
    assertThat(cluster.corruptReplicas()).isZero();
  }

  /** A client that shares no memory cannot be told of an append, whatever others share. */
  @Test
  @EnabledIf("domainSockets")
  void whoCannotBeToldGetsTheReplicaThoughAnotherCanBe() throws Exception {
    byte[] bytes = bytes(7, BLOCK);
    cluster.write("/told/f", bytes);
    cluster.warm("/told/f", bytes);
    Configuration told = client("told");
    try (FileSystem fs = FileSystem.newInstance(told);
        FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path("/told/f"))) {
      long hits = cluster.hits();
      assertThat(in.read()).isEqualTo(bytes[0] & 0xff);
      assertThat(cluster.hits()).as("has the copy").isGreaterThan(hits);
      FileInputStream[] passed = descriptors(located("/told/f"));
      assertThat(fileOf(passed[0])).startsWith(folder.resolve("hdfs"));
      close(passed);
    }
  }

  /** As an engine is, which many jobs read through, or a server of a database. */
  @Test
  @EnabledIf("domainSockets")
  void aClientThatHasTheReplicaOpenTurnsToTheCopyOnceThereIsOne() throws Exception {
    byte[] bytes = bytes(6, BLOCK);
    cluster.write("/patient/f", bytes);
    Configuration patient = client("patient");
    assertThat(readLocally(patient, "/patient/f")).isEqualTo(bytes);
    CacheCluster.await(
        () -> {
          long hits = cluster.hits();
          try {
            assertThat(readLocally(patient, "/patient/f")).isEqualTo(bytes);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          assertThat(cluster.hits()).isGreaterThan(hits);
        });
  }

  /** Flips a bit of each copy of a DataNode where it stands, in the pages that are being sent. */
  private static int flipEach(Random random) throws IOException {
    int flips = 0;
    for (Path copy : cluster.copies(0)) {
      try (FileChannel channel =
          FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        ByteBuffer one = ByteBuffer.allocate(1);
        int at = random.nextInt((int) channel.size());
        channel.read(one, at);
        one.put(0, (byte) (one.get(0) ^ 1 << random.nextInt(8))).flip();
        channel.write(one, at);
        flips++;
      } catch (NoSuchFileException e) {
        // It was dropped meanwhile.
        continue;
      }
    }
    return flips;
  }

  /** {@code -Dmammoth.flips} says how often, {@code -Dmammoth.seed} what. */
  @Test
  void copiesThatChangeInPlaceWhileTheyAreReadAreDroppedAndNobodyIsBlamed() throws Exception {
    int times = Integer.getInteger("mammoth.flips", 6);
    long seed = Long.getLong("mammoth.seed", System.nanoTime());
    Random random = new Random(seed);
    byte[] bytes = bytes(5, 16 * BLOCK);
    cluster.write("/flips/f", bytes);
    long corrupt = cluster.status(0).getEvictions().get("corrupt");
    int flips = 0;
    for (int i = 0; i < times; i++) {
      cluster.warm("/flips/f", bytes);
      List<FutureTask<byte[]>> readers = new ArrayList<>();
      for (int n = 0; n < 2; n++) {
        FutureTask<byte[]> reader = new FutureTask<>(() -> cluster.read("/flips/f"));
        readers.add(reader);
        new Thread(reader, "reader-" + n).start();
      }
      flips += flipEach(random);
      for (FutureTask<byte[]> reader : readers) {
        assertThat(reader.get()).as("mammoth.seed=%d", seed).isEqualTo(bytes);
      }
    }
    cluster.warm("/flips/f", bytes);
    corrupt = cluster.status(0).getEvictions().get("corrupt") - corrupt;
    System.out.printf(
        "flips in place: mammoth.seed=%d, %d flips, %d copies dropped%n", seed, flips, corrupt);
    assertThat(corrupt).as("mammoth.seed=%d", seed).isPositive();
    assertThat(cluster.corruptReplicas()).as("mammoth.seed=%d", seed).isZero();
  }
}
