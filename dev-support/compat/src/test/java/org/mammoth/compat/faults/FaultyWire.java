// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.mammoth.mapreduce.protocol.EngineHome;

/**
 * Stands between the reduces of other nodes and each engine of a cluster: engines are given out
 * with the port of a relay, which flips a byte of, or cuts, some of the connections at a random
 * place of what the engine sends. Reduces that start from now on are concerned.
 */
final class FaultyWire implements AutoCloseable {
  /** Bytes of a connection before its harm, at most; a few frames. */
  private static final int LATEST = 300_000;

  private final Random random;
  private final List<Relay> relays = new ArrayList<>();
  private int harmsLeft;
  private int flips;
  private int cuts;

  /** Harms {@code harms} connections, all of them only once. */
  FaultyWire(FaultCluster cluster, long seed, int harms) throws IOException {
    random = new Random(seed);
    harmsLeft = harms;
    for (ProcessHandle engine : cluster.engines()) {
      relays.add(new Relay(new EngineHome(org.mammoth.compat.cluster.Engines.home(engine))));
    }
  }

  synchronized int flips() {
    return flips;
  }

  synchronized int cuts() {
    return cuts;
  }

  private synchronized Harm next() {
    if (harmsLeft == 0) {
      return new Harm(false, Long.MAX_VALUE);
    }
    harmsLeft--;
    return new Harm(random.nextBoolean(), 500 + random.nextInt(LATEST));
  }

  private synchronized void done(Harm harm) {
    if (harm.flip()) {
      flips++;
    } else {
      cuts++;
    }
  }

  private record Harm(boolean flip, long after) {}

  private final class Relay {
    private final EngineHome home;
    private final EngineHome.Address real;
    private final ServerSocket listener = new ServerSocket(0, 64, InetAddress.getByName("0.0.0.0"));
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    Relay(EngineHome home) throws IOException {
      this.home = home;
      real = home.address().orElseThrow();
      start(this::accept);
      home.publish(new EngineHome.Address(real.pid(), real.port(), listener.getLocalPort()));
    }

    private void start(Runnable work) {
      Thread thread = new Thread(work, "faulty-wire");
      thread.setDaemon(true);
      thread.start();
    }

    private void accept() {
      try {
        while (true) {
          Socket client = listener.accept();
          Socket server = new Socket(InetAddress.getLoopbackAddress(), real.shufflePort());
          sockets.add(client);
          sockets.add(server);
          start(() -> relay(client, server, null));
          start(() -> relay(server, client, next()));
        }
      } catch (IOException e) {
        // The round is over, or the engine has gone.
      }
    }

    private void relay(Socket from, Socket to, Harm harm) {
      byte[] buffer = new byte[16_000];
      long passed = 0;
      boolean harmed = harm == null;
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (!harmed && passed + read > harm.after()) {
            harmed = true;
            done(harm);
            int at = (int) (harm.after() - passed);
            if (!harm.flip()) {
              out.write(buffer, 0, at);
              return;
            }
            buffer[at] ^= (byte) 0x10;
          }
          passed += read;
          out.write(buffer, 0, read);
        }
      } catch (IOException e) {
        // One side has gone, as the other will see.
      }
    }

    void close() throws IOException {
      if (Files.exists(home.folder())) {
        home.publish(real);
      }
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Relay relay : relays) {
      relay.close();
    }
  }

  /** Flips one bit of a random byte of a file, in place. */
  static void flip(Path file, Random random) throws IOException {
    flip(file, 0, Files.size(file), random);
  }

  /** Flips one bit in each partition of a map's output file, as its index tells them. */
  static void flipInEachPartition(Path file, int partitions, Random random) throws IOException {
    SpillRecord index =
        new SpillRecord(
            new org.apache.hadoop.fs.Path(file.toUri().getPath() + ".index"), new JobConf());
    for (int partition = 0; partition < partitions; partition++) {
      IndexRecord segment = index.getIndex(partition);
      flip(file, segment.startOffset, segment.partLength, random);
    }
  }

  private static void flip(Path file, long from, long length, Random random) throws IOException {
    try (java.io.RandomAccessFile open = new java.io.RandomAccessFile(file.toFile(), "rw")) {
      long at = from + (long) (random.nextDouble() * length);
      open.seek(at);
      int was = open.read();
      open.seek(at);
      open.write(was ^ 1 << random.nextInt(Byte.SIZE));
    }
  }

  /** Files below a folder whose path matches and that are not empty; others may go meanwhile. */
  static List<Path> files(Path home, String pattern) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        home,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes what) {
            if (what.isRegularFile() && what.size() > 0 && path.toString().matches(pattern)) {
              found.add(path);
            }
            return FileVisitResult.CONTINUE;
          }

          // Daemons remove files and folders meanwhile: the rest is still there.
          @Override
          public FileVisitResult visitFileFailed(Path path, IOException gone) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
