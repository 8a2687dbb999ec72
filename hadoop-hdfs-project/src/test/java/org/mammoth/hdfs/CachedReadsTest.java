// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.hdfs.CacheCluster.BLOCK;
import static org.mammoth.hdfs.CacheCluster.bytes;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real files on a real HDFS of one DataNode. */
class CachedReadsTest {

  @TempDir static Path folder;
  private static CacheCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = CacheCluster.start(folder, CacheCluster.conf(), 1, "256m");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static org.apache.hadoop.fs.Path path(String file) {
    return new org.apache.hadoop.fs.Path(file);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static void append(String file, byte[] more) throws IOException {
    try (FSDataOutputStream out = cluster.fs().append(path(file))) {
      out.write(more);
    }
  }

  /** The cached copy of a file's only block. */
  private static Path copyOf(String file) throws IOException {
    long id = block(file).getBlockId();
    return cluster.copies(0).stream()
        .filter(copy -> copy.getFileName().toString().startsWith("blk_" + id + "_"))
        .findFirst()
        .orElseThrow();
  }

  private static ExtendedBlock block(String file) throws IOException {
    return cluster
        .fs()
        .getClient()
        .getLocatedBlocks(file, 0, Long.MAX_VALUE)
        .getLocatedBlocks()
        .get(0)
        .getBlock();
  }

  private static void flip(Path copy, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(copy);
    bytes[at] ^= 0x10;
    Files.write(copy, bytes);
  }

  private static <T> T as(String thread, Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    new Thread(task, thread).start();
    return task.get();
  }

  @Test
  void theSecondReadComesFromSsd() throws Exception {
    byte[] bytes = bytes(1, 5 * BLOCK + 777);
    cluster.write("/a/f", bytes);
    long served = cluster.status(0).getServedBytes();
    assertThat(cluster.read("/a/f")).isEqualTo(bytes);
    assertThat(cluster.status(0).getServedBytes()).as("first read").isEqualTo(served);
    cluster.warm("/a/f", bytes);
    long hits = cluster.hits();
    long before = cluster.status(0).getServedBytes();
    assertThat(cluster.read("/a/f")).isEqualTo(bytes);
    assertThat(cluster.hits() - hits).isEqualTo(6);
    assertThat(cluster.status(0).getServedBytes() - before).isEqualTo(bytes.length);
  }

  @Test
  void readsFromTheMiddleAreServedToo() throws Exception {
    byte[] bytes = bytes(2, 2 * BLOCK + 1000);
    cluster.write("/b/f", bytes);
    cluster.warm("/b/f", bytes);
    try (FSDataInputStream in = cluster.fs().open(path("/b/f"))) {
      for (int[] range : new int[][] {{0, 1}, {511, 2}, {513, 70_000}, {BLOCK - 3, 9}}) {
        byte[] got = new byte[range[1]];
        in.readFully(range[0], got);
        assertThat(got).isEqualTo(Arrays.copyOfRange(bytes, range[0], range[0] + range[1]));
      }
      byte[] tail = new byte[999];
      in.readFully(bytes.length - 999, tail);
      assertThat(tail).isEqualTo(Arrays.copyOfRange(bytes, bytes.length - 999, bytes.length));
    }
  }

  @Test
  void whatIsAppendedIsSeen() throws Exception {
    byte[] first = bytes(3, BLOCK + 700);
    byte[] more = bytes(4, 5_000);
    cluster.write("/append/f", first);
    cluster.warm("/append/f", first);
    try (FSDataInputStream open = cluster.fs().open(path("/append/f"))) {
      assertThat(open.readNBytes(BLOCK + 10)).isEqualTo(Arrays.copyOf(first, BLOCK + 10));
      append("/append/f", more);
      byte[] rest = open.readAllBytes();
      assertThat(joined(first, more)).startsWith(joined(Arrays.copyOf(first, BLOCK + 10), rest));
    }
    assertThat(cluster.read("/append/f")).isEqualTo(joined(first, more));
    cluster.warm("/append/f", joined(first, more));
  }

  @Test
  void whatIsTruncatedStaysAway() throws Exception {
    byte[] bytes = bytes(5, BLOCK);
    cluster.write("/truncate/f", bytes);
    cluster.warm("/truncate/f", bytes);
    cluster.fs().truncate(path("/truncate/f"), 1_000);
    CacheCluster.await(
        () -> {
          try {
            assertThat(cluster.fs().isFileClosed(path("/truncate/f"))).isTrue();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    assertThat(cluster.read("/truncate/f")).isEqualTo(Arrays.copyOf(bytes, 1_000));
    byte[] other = bytes(6, 3_000);
    append("/truncate/f", other);
    byte[] now = joined(Arrays.copyOf(bytes, 1_000), other);
    assertThat(cluster.read("/truncate/f")).isEqualTo(now);
    cluster.warm("/truncate/f", now);
  }

  @Test
  void aDeletedFileLeavesTheSsd() throws Exception {
    byte[] bytes = bytes(7, 2_000);
    cluster.write("/delete/f", bytes);
    cluster.warm("/delete/f", bytes);
    Path copy = copyOf("/delete/f");
    cluster.fs().delete(path("/delete/f"), false);
    CacheCluster.await(() -> assertThat(copy).doesNotExist());
  }

  @Test
  void renamedReplacedAndInSnapshotsItIsTheSame() throws Exception {
    byte[] bytes = bytes(8, 3_000);
    byte[] other = bytes(9, 3_000);
    cluster.write("/rename/f", bytes);
    cluster.warm("/rename/f", bytes);
    cluster.fs().allowSnapshot(path("/rename"));
    cluster.fs().createSnapshot(path("/rename"), "s");
    cluster.fs().rename(path("/rename/f"), path("/rename/g"));
    long misses = cluster.misses();
    assertThat(cluster.read("/rename/g")).isEqualTo(bytes);
    assertThat(cluster.misses()).isEqualTo(misses);
    cluster.write("/rename/g", other);
    assertThat(cluster.read("/rename/g")).isEqualTo(other);
    assertThat(cluster.read("/rename/.snapshot/s/f")).isEqualTo(bytes);
    cluster.warm("/rename/g", other);
    assertThat(cluster.read("/rename/.snapshot/s/f")).isEqualTo(bytes);
  }

  @Test
  void aFlippedByteNeitherReachesAReaderNorBlamesTheReplica() throws Exception {
    byte[] bytes = bytes(10, BLOCK - 5);
    for (int at : new int[] {0, 511, 100_000, BLOCK - 6}) {
      String file = "/flip/at" + at;
      cluster.write(file, bytes);
      cluster.warm(file, bytes);
      Path copy = copyOf(file);
      long corrupt = cluster.status(0).getEvictions().get("corrupt");
      flip(copy, at);
      assertThat(cluster.read(file)).isEqualTo(bytes);
      CacheCluster.await(() -> assertThat(copy).doesNotExist());
      assertThat(cluster.status(0).getEvictions()).containsEntry("corrupt", corrupt + 1);
      cluster.warm(file, bytes);
    }
    assertThat(cluster.corruptReplicas()).isZero();
  }

  @Test
  void aCutOrMissingCopyIsAMiss() throws Exception {
    byte[] bytes = bytes(11, BLOCK);
    cluster.write("/cut/f", bytes);
    cluster.warm("/cut/f", bytes);
    Files.write(copyOf("/cut/f"), Arrays.copyOf(bytes, 70_000));
    assertThat(cluster.read("/cut/f")).isEqualTo(bytes);
    cluster.warm("/cut/f", bytes);
    Files.delete(copyOf("/cut/f"));
    assertThat(cluster.read("/cut/f")).isEqualTo(bytes);
    cluster.warm("/cut/f", bytes);
    assertThat(cluster.corruptReplicas()).isZero();
  }

  @Test
  void theBlockScannerAndOthersGetTheReplicaItself() throws Exception {
    byte[] bytes = bytes(12, 9_000);
    cluster.write("/scan/f", bytes);
    cluster.warm("/scan/f", bytes);
    FsDatasetSpi<?> dataset = cluster.hdfs().getDataNodes().get(0).getFSDataset();
    long hits = cluster.hits();
    for (String thread :
        new String[] {
          "VolumeScannerThread(/data)",
          "DataXceiver for client x at /10.0.0.1:1 [Copying block b]",
          "DataXceiver for client x at /10.0.0.1:1 [Getting checksum for block b]",
          "org.apache.hadoop.hdfs.server.datanode.DataNode$DataTransfer@1"
        }) {
      try (InputStream in = as(thread, () -> dataset.getBlockInputStream(block("/scan/f"), 0))) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
      }
    }
    assertThat(cluster.hits()).isEqualTo(hits);
  }

  @Test
  void aDescriptorIsHandedOutOnlyOfAWholeCopy() throws Exception {
    byte[] bytes = bytes(13, 9_000);
    String thread =
        "DataXceiver for client x at /10.0.0.1:1 [Passing file descriptors for block b]";
    FsDatasetSpi<?> dataset = cluster.hdfs().getDataNodes().get(0).getFSDataset();
    cluster.write("/fd/f", bytes);
    cluster.warm("/fd/f", bytes);
    flip(copyOf("/fd/f"), 4_000);
    long hits = cluster.hits();
    Callable<byte[]> descriptor =
        () -> {
          try (FileInputStream passed =
                  (FileInputStream) dataset.getBlockInputStream(block("/fd/f"), 0);
              FileInputStream client = new FileInputStream(passed.getFD())) {
            return client.readAllBytes();
          }
        };
    assertThat(as(thread, descriptor)).isEqualTo(bytes);
    assertThat(cluster.hits()).as("the bad copy was not used").isEqualTo(hits);
    cluster.warm("/fd/f", bytes);
    hits = cluster.hits();
    assertThat(as(thread, descriptor)).isEqualTo(bytes);
    // With domain sockets only those who share memory with the DataNode get copies: TransferTest.
    int given = TransferTest.domainSockets() ? 0 : 1;
    assertThat(cluster.hits()).isEqualTo(hits + given);
  }

  @Test
  void aSickReplicaIsNeverCopied() throws Exception {
    byte[] bytes = bytes(14, 9_000);
    cluster.write("/sick/f", bytes);
    flip(cluster.hdfs().getBlockFile(0, block("/sick/f")).toPath(), 5_000);
    long failed = cluster.status(0).getFills().get("source_failed");
    try (FSDataInputStream in = cluster.fs().open(path("/sick/f"))) {
      assertThat(in.read(0, new byte[100], 0, 100)).isEqualTo(100);
    }
    CacheCluster.await(
        () ->
            assertThat(cluster.status(0).getFills())
                .hasEntrySatisfying("source_failed", n -> assertThat(n).isGreaterThan(failed)));
    assertThat(cluster.copies(0))
        .noneMatch(copy -> copy.toString().contains("blk_" + id("/sick/f")));
  }

  private static long id(String file) {
    try {
      return block(file).getBlockId();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aJobsReadsAreOneAccess() throws Exception {
    byte[] bytes = bytes(15, 3 * BLOCK);
    cluster.write("/job/in/f", bytes);
    for (int job = 1; job <= 3; job++) {
      for (int task = 0; task < 2; task++) {
        Configuration conf = new Configuration(cluster.hdfs().getConfiguration(0));
        conf.set(
            "mapreduce.task.attempt.id",
            "attempt_1700000000000_000" + job + "_m_00000" + task + "_0");
        try (FileSystem attempt = FileSystem.newInstance(conf);
            FSDataInputStream in = attempt.open(path("/job/in/f"))) {
          assertThat(in.readAllBytes()).isEqualTo(bytes);
        }
      }
    }
    CacheCluster.await(
        () ->
            assertThat(CommandTest.run(cluster, "-datasets"))
                .contains("/job/in: 3 of 3 blocks (complete)")
                .contains("read 3 times"));
  }

  /** Reads files as a task of a job does, whose calls carry a caller context. */
  private static void readAs(String job, String context, String... files) throws Exception {
    Configuration conf = new Configuration(cluster.hdfs().getConfiguration(0));
    conf.set("mapreduce.task.attempt.id", "attempt_" + job + "_m_000000_0");
    CallerContext before = CallerContext.getCurrent();
    CallerContext.setCurrent(new CallerContext.Builder(context).build());
    try (FileSystem attempt = FileSystem.newInstance(conf)) {
      for (String file : files) {
        try (FSDataInputStream in = attempt.open(path(file))) {
          in.readAllBytes();
        }
      }
    } finally {
      CallerContext.setCurrent(before);
    }
  }

  @Test
  void aJobsInputPathIsADataSet() throws Exception {
    for (String file : new String[] {"/year/a/1/f", "/year/a/2/f", "/year/b/f"}) {
      cluster.write(file, bytes(file.hashCode(), BLOCK));
    }
    readAs(
        "1700000000001_0001",
        "mr_attempt_1700000000001_0001_m_000000_0,mpcacheInput:/year/a;/year/b/f",
        "/year/a/1/f",
        "/year/a/2/f",
        "/year/b/f");
    // The blocks that were read are two of two, and one of one.
    CacheCluster.await(
        () ->
            assertThat(CommandTest.run(cluster, "-datasets"))
                .contains("/year/a: 2 of 2 blocks (complete)")
                .contains("/year/b/f: 1 of 1 blocks (complete)")
                .doesNotContain("/year/a/1:")
                .doesNotContain("/year/b:"));
  }

  @Test
  void aJobsApplicationMasterNamesTheInputOfOrdinaryTasks() throws Exception {
    cluster.write("/plain/in/1/f", bytes(31, BLOCK));
    readAs(
        "1700000000001_0009",
        "mr_appmaster_appattempt_1700000000001_0002_000001,mpcacheInput:/plain/in",
        "/plain/in/1/f");
    cluster.write("/plain/in/2/f", bytes(32, BLOCK));
    readAs("1700000000001_0002", "mr_attempt_1700000000001_0002_m_000000_0", "/plain/in/2/f");
    CacheCluster.await(
        () ->
            assertThat(CommandTest.run(cluster, "-datasets"))
                .contains("/plain/in: 1 of 2 blocks")
                .contains("/plain/in/1: 1 of 1 blocks"));
  }

  @Test
  void anInputThatIsNotAboveTheFileDoesNotCount() throws Exception {
    cluster.write("/lied/f", bytes(33, BLOCK));
    readAs(
        "1700000000001_0003",
        "mr_attempt_1700000000001_0003_m_000000_0,mpcacheInput:/;/lie;relative;/lied/f/g",
        "/lied/f");
    CacheCluster.await(
        () ->
            assertThat(CommandTest.run(cluster, "-datasets"))
                .contains("/lied: 1 of 1 blocks (complete)"));
  }
}
