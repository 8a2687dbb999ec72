// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the cache costs a DataNode's reads; prints figures and refuses absurd ones. */
class CostsTest {

  private static final int BIG = 64 << 20;
  private static final int PACKET = 64 << 10;
  private static final int OPENS = 20_000;

  @TempDir Path folder;

  @Test
  void aMissCostsMicrosecondsAndAHitIsSentAtMemorySpeed() throws Exception {
    Configuration conf = CacheCluster.conf();
    conf.setLong("dfs.blocksize", BIG);
    conf.set("mammoth.mpcache.exclude", "/cold");
    try (CacheCluster cluster = CacheCluster.start(folder, conf, 1, "512m")) {
      byte[] bytes = CacheCluster.bytes(1, BIG);
      cluster.write("/hot/f", bytes);
      cluster.write("/cold/f", bytes);
      cluster.warm("/hot/f", bytes);
      FsDatasetSpi<?> dataset = cluster.hdfs().getDataNodes().get(0).getFSDataset();
      ExtendedBlock cold = block(cluster, "/cold/f");
      ExtendedBlock hot = block(cluster, "/hot/f");
      String client = "DataXceiver for client x at /10.0.0.1:1 [Sending block b]";
      // The best of some rounds: in others the machine had something else to do.
      double stock = Double.MAX_VALUE;
      double miss = Double.MAX_VALUE;
      for (int round = 0; round < 3; round++) {
        stock = Math.min(stock, as("somebody", () -> opens(dataset, cold)));
        miss = Math.min(miss, as(client, () -> opens(dataset, cold)));
      }
      System.out.printf(
          Locale.ROOT, "costs: open of a replica %.1f µs, as a miss %.1f µs%n", stock, miss);
      assertThat(miss - stock).as("µs a miss adds").isLessThan(100);
      double plain = 0;
      double pages = 0;
      double checked = 0;
      for (int round = 0; round < 4; round++) {
        plain = Math.max(plain, as("somebody", () -> sends(dataset, hot)));
        zeroCopy(cluster, true);
        pages = Math.max(pages, as(client, () -> sends(dataset, hot)));
        zeroCopy(cluster, false);
        checked = Math.max(checked, as(client, () -> sends(dataset, hot)));
      }
      System.out.printf(
          Locale.ROOT,
          "costs: from the page cache, replica sent at %.0f MB/s, checked pages of a copy at %.0f"
              + " MB/s, checked bytes of a copy at %.0f MB/s%n",
          plain,
          pages,
          checked);
      assertThat(pages).as("MB/s of checked pages").isGreaterThan(100);
      assertThat(checked).as("MB/s of checked bytes").isGreaterThan(100);
    }
  }

  private static void zeroCopy(CacheCluster cluster, boolean on) {
    DataNode datanode = cluster.hdfs().getDataNodes().get(0);
    Configuration next = new Configuration(datanode.getConf());
    next.setBoolean("mammoth.mpcache.zero-copy", on);
    datanode.getChangedProperties(next, datanode.getConf());
  }

  private static ExtendedBlock block(CacheCluster cluster, String file) throws Exception {
    return cluster.fs().getClient().getLocatedBlocks(file, 0, BIG).get(0).getBlock();
  }

  private static double as(String thread, Callable<Double> work) throws Exception {
    FutureTask<Double> task = new FutureTask<>(work);
    new Thread(task, thread).start();
    return task.get();
  }

  private static double opens(FsDatasetSpi<?> dataset, ExtendedBlock block) throws Exception {
    long from = System.nanoTime();
    for (int i = 0; i < OPENS; i++) {
      try (InputStream in = dataset.getBlockInputStream(block, 0)) {
        assertThat(in).isNotNull();
      }
    }
    return (System.nanoTime() - from) / 1_000.0 / OPENS;
  }

  private static double sends(FsDatasetSpi<?> dataset, ExtendedBlock block) throws Exception {
    try (ServerSocketChannel server =
            ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        SocketChannel out = SocketChannel.open(server.getLocalAddress());
        SocketChannel in = server.accept();
        FileInputStream file = (FileInputStream) dataset.getBlockInputStream(block, 0)) {
      Thread drain =
          new Thread(
              () -> {
                ByteBuffer sink = ByteBuffer.allocateDirect(1 << 20);
                try {
                  while (in.read(sink) >= 0) {
                    sink.clear();
                  }
                } catch (java.io.IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      drain.start();
      long from = System.nanoTime();
      long position = 0;
      while (position < BIG) {
        long end = Math.min(BIG, position + PACKET);
        while (position < end) {
          position += file.getChannel().transferTo(position, end - position, out);
        }
      }
      double seconds = (System.nanoTime() - from) / 1e9;
      out.shutdownOutput();
      drain.join();
      return BIG / 1e6 / seconds;
    }
  }
}
