// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;

/**
 * Eight files of 200 MB each, in the three forms of the Mammoth paper (Shi et al. 2015, §5.2): in
 * parallel by eight threads, interleaved by the scheduler one unit at a time, and one after the
 * other. Arguments: a folder on the disk to measure, rounds, and KiB of the write buffers. Each
 * file is forced to the disk within the time. Run by hand; the disk has to be idle.
 */
final class WriteFormsBenchmark {

  private static final int FILES = 8;
  private static final long FILE_BYTES = 200L << 20;

  private WriteFormsBenchmark() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    int rounds = Integer.parseInt(args[1]);
    for (int i = 2; i < args.length; i++) {
      int buffer = Integer.parseInt(args[i]) << 10;
      for (int round = 0; round < rounds; round++) {
        System.out.printf(
            "buffer %d KiB: parallel %.2f s, interleaved %.2f s, sequential %.2f s%n",
            buffer >> 10,
            seconds(folder, () -> direct(folder, buffer, FILES)),
            seconds(folder, () -> scheduled(folder, buffer)),
            seconds(folder, () -> direct(folder, buffer, 1)));
      }
    }
  }

  private static double seconds(Path folder, Callable<Void> form) throws Exception {
    long start = System.nanoTime();
    form.call();
    double seconds = (System.nanoTime() - start) / 1e9;
    for (int i = 0; i < FILES; i++) {
      Files.delete(folder.resolve("f" + i));
    }
    return seconds;
  }

  private static Void direct(Path folder, int buffer, int threads) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Callable<Void>> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      Path file = folder.resolve("f" + i);
      files.add(
          () -> {
            ByteBuffer bytes = ByteBuffer.allocateDirect(buffer);
            try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
              for (long at = 0; at < FILE_BYTES; at += buffer) {
                channel.write(bytes.clear());
              }
              channel.force(true);
            }
            return null;
          });
    }
    for (Future<Void> done : pool.invokeAll(files)) {
      done.get();
    }
    pool.shutdown();
    return null;
  }

  private static Void scheduled(Path folder, int buffer) throws Exception {
    try (IoScheduler io =
        IoScheduler.builder(IoSettings.of(new Configuration(false), buffer), List.of(folder))
            .threads(Thread::new)
            .build()) {
      byte[] bytes = new byte[buffer];
      List<WriteStream> streams = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        Target target = new FileTarget(folder.resolve("f" + i));
        streams.add(io.openWrite(target, IoClass.ACTIVE, "benchmark"));
      }
      for (long at = 0; at < FILE_BYTES; at += buffer) {
        for (WriteStream stream : streams) {
          stream.add(bytes, 0, buffer);
        }
      }
      List<CompletableFuture<Written>> results = new ArrayList<>();
      streams.forEach(stream -> results.add(stream.finish(true)));
      for (CompletableFuture<Written> result : results) {
        result.get();
      }
    }
    return null;
  }
}
