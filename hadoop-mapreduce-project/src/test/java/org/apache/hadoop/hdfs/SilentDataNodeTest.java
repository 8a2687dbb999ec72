// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.io.FileTarget;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.io.WriteStream;
import org.mammoth.engine.io.Written;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.mapreduce.buffers.InputReads;

/** A DataNode accepts connections and says nothing, on the disk that local files lie on. */
@Timeout(60)
class SilentDataNodeTest {

  private static final int UNIT = 256 << 10;
  private static final int BURST = 4;
  private static final int READERS = 5;
  private static final Duration LONG = Duration.ofSeconds(50);

  @TempDir private Path folder;

  private final byte[] block = new byte[8 << 20];
  private final List<Socket> asked = new CopyOnWriteArrayList<>();
  private final AtomicLong skewNanos = new AtomicLong();
  private ServerSocket server;
  private IoScheduler io;
  private InputReads reads;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 2 * READERS, InetAddress.getLoopbackAddress());
    Configuration conf = new Configuration(false);
    conf.setInt(IoKeys.BURST_UNITS.name(), BURST);
    io =
        IoScheduler.builder(IoSettings.of(conf, UNIT), List.of(folder))
            .spinning(dir -> true)
            .inputDirs(List.of(folder))
            .clock(() -> System.nanoTime() + skewNanos.get())
            .threads(
                work -> {
                  Thread thread = new Thread(work, "disk");
                  thread.setDaemon(true);
                  return thread;
                })
            .build();
    Ledger ledger = new Ledger(2L * BURST * UNIT * READERS);
    InputWindows windows = new InputWindows(BufferType.DIRECT, UNIT, ledger);
    reads = new InputReads(io, windows, "attempt_1", InputReads.HEAD_BYTES);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    io.close();
  }

  /** The head has been answered; what is asked for later waits for the server. */
  private BlockReader ask(long offset, long length) throws IOException {
    if (offset == 0) {
      return new BlockInMemory(block, offset, length, Long.MAX_VALUE);
    }
    Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
    asked.add(socket);
    return new BlockInMemory(block, offset, length, Long.MAX_VALUE) {
      @Override
      public int read(byte[] into, int from, int bytes) throws IOException {
        if (socket.getInputStream().read() < 0) {
          throw new EOFException("the DataNode is gone");
        }
        return super.read(into, from, bytes);
      }
    };
  }

  private BlockReader readerWithAHead() throws IOException {
    BlockReader reader = AheadBlockReader.open(this::ask, "/in", 0, block.length, reads);
    int head = 2 * InputReads.HEAD_BYTES;
    assertThat(reader.readAll(new byte[head], 0, head)).isEqualTo(head);
    return reader;
  }

  @Test
  void stopsNoLocalFileAndLeavesNoDirectoryOut() throws Exception {
    List<BlockReader> readers = new ArrayList<>();
    readers.add(readerWithAHead());
    await().atMost(LONG).until(() -> asked.size() == 1);
    for (int i = 1; i < READERS; i++) {
      readers.add(readerWithAHead());
    }
    skewNanos.addAndGet(TimeUnit.SECONDS.toNanos(3));
    for (int i = 0; i < 3; i++) {
      awaitTicking(write("spill" + i));
    }
    await().atMost(LONG).until(() -> asked.size() == READERS);
    skewNanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    io.tick();
    assertThat(io.healthyDirs()).containsExactly(folder);
    for (Socket socket : asked) {
      socket.shutdownInput();
    }
    for (BlockReader reader : readers) {
      assertThatThrownBy(() -> reader.read(new byte[1], 0, 1))
          .isExactlyInstanceOf(EOFException.class)
          .hasMessage("the DataNode is gone");
      reader.close();
    }
    assertThat(io.healthyDirs()).containsExactly(folder);
  }

  private CompletableFuture<Written> write(String name) throws Exception {
    WriteStream stream =
        io.openWrite(new FileTarget(folder.resolve(name)), IoClass.SORT, "attempt_2");
    stream.add(new byte[UNIT], 0, UNIT);
    return stream.finish();
  }

  private void awaitTicking(CompletableFuture<Written> file) throws Exception {
    await()
        .atMost(LONG)
        .until(
            () -> {
              io.tick();
              return file.isDone();
            });
    assertThat(file.get().bytes()).isEqualTo(UNIT);
  }
}
