// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the cache costs a DataNode that has it switched on and nothing cached, beside stock: one
 * file in the page cache is read in turn from either. {@code dev-support/bin/idle-reads} runs it;
 * it is no part of the normal run.
 *
 * <p>Both clusters and the client are one process, whose CPU time is taken, so that a difference
 * shows smaller than it is in the DataNode by the client's part. The client compares no checksums
 * and asks for none, which is the least work beside the DataNode's that there is.
 */
class IdleReads {

  private static final double MIB = 1 << 20;

  @TempDir Path folder;

  private final int rounds = Integer.getInteger("mammoth.idle.rounds", 15);
  private final int fileMib = Integer.getInteger("mammoth.idle.file-mib", 1024);
  private final int blockMib = Integer.getInteger("mammoth.idle.block-mib", 128);
  private final int repeats = Integer.getInteger("mammoth.idle.repeats", 4);
  private final byte[] buffer = new byte[1 << 20];

  /** One side's wall and CPU seconds for each round. */
  private static final class Side implements AutoCloseable {
    final String name;
    final CacheCluster cluster;
    final FileSystem client;
    final double[] wall;
    final double[] cpu;

    Side(String name, CacheCluster cluster, int rounds) throws Exception {
      this.name = name;
      this.cluster = cluster;
      client = FileSystem.newInstance(cluster.hdfs().getConfiguration(0));
      client.setVerifyChecksum(false);
      wall = new double[rounds];
      cpu = new double[rounds];
    }

    @Override
    public void close() throws Exception {
      client.close();
      cluster.close();
    }
  }

  @Test
  void withNothingCachedAgainstStock() throws Exception {
    Configuration ours = conf();
    ours.set("mammoth.mpcache.exclude", "/");
    Configuration stock = conf();
    stock.unset(DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY);
    stock.unset(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY);
    stock.unset(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY);
    try (Side with =
            new Side("cache", CacheCluster.start(folder.resolve("a"), ours, 1, "1g"), rounds);
        Side without =
            new Side("stock", CacheCluster.start(folder.resolve("b"), stock, 1, null), rounds)) {
      write(with);
      write(without);
      for (int i = 0; i < 5; i++) {
        read(with);
        read(without);
      }
      System.out.println("idle: round, side, wall s, CPU s");
      for (int round = 0; round < rounds; round++) {
        // Who is first changes, so that neither always follows the other.
        sample(round % 2 == 0 ? with : without, round);
        sample(round % 2 == 0 ? without : with, round);
      }
      assertThat(with.cluster.hits()).as("nothing was cached").isZero();
      assertThat(with.cluster.misses()).as("its reads were seen").isPositive();
      print("wall", with.wall, without.wall);
      print("CPU", with.cpu, without.cpu);
    }
  }

  private Configuration conf() {
    Configuration conf = CacheCluster.conf();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, (long) blockMib << 20);
    conf.setInt("mammoth.mpcache.heartbeat-ms", 1_000);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 3);
    return conf;
  }

  private void write(Side side) throws Exception {
    byte[] piece = CacheCluster.bytes(1, 1 << 20);
    try (OutputStream out = side.client.create(new org.apache.hadoop.fs.Path("/f"))) {
      for (int i = 0; i < fileMib; i++) {
        out.write(piece);
      }
    }
  }

  private void read(Side side) throws Exception {
    for (int i = 0; i < repeats; i++) {
      long total = 0;
      try (InputStream in = side.client.open(new org.apache.hadoop.fs.Path("/f"))) {
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          total += n;
        }
      }
      assertThat(total).isEqualTo((long) fileMib << 20);
    }
  }

  private void sample(Side side, int round) throws Exception {
    System.gc();
    long cpu = cpuNanos();
    long wall = System.nanoTime();
    read(side);
    side.wall[round] = (System.nanoTime() - wall) / 1e9;
    side.cpu[round] = (cpuNanos() - cpu) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "idle: %d, %s, %.3f, %.3f%n",
        round + 1,
        side.name,
        side.wall[round],
        side.cpu[round]);
  }

  private static long cpuNanos() throws Exception {
    return (long)
        ManagementFactory.getPlatformMBeanServer()
            .getAttribute(new ObjectName("java.lang:type=OperatingSystem"), "ProcessCpuTime");
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private void print(String what, double[] with, double[] without) {
    double[] ratios = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      ratios[i] = with[i] / without[i];
    }
    double mib = (double) fileMib * repeats * MIB / 1e6;
    System.out.printf(
        Locale.ROOT,
        "idle: median %s: cache %.3f s (%.0f MB/s), stock %.3f s (%.0f MB/s); %.4f of stock, median"
            + " of the rounds' own ratios %.4f, %d rounds of %d MiB in blocks of %d MiB%n",
        what,
        median(with),
        mib / median(with),
        median(without),
        mib / median(without),
        median(with) / median(without),
        median(ratios),
        rounds,
        fileMib * repeats,
        blockMib);
  }
}
