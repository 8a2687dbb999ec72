// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.awaitility.Awaitility;

/**
 * Files whose every state is remembered, and operations on them. One thread operates; any may ask
 * for states.
 */
final class CheckedFiles {

  /**
   * A file at one moment.
   *
   * @param state number of its state, or of the one it is about to have
   * @param settled whether nothing is changing it
   */
  record Moment(int state, boolean settled) {}

  /** One file: the states it has been in, the last one now, or about to be. */
  static final class Tracked {
    private Path path;
    private final List<byte[]> states = new ArrayList<>();
    private boolean settled = true;

    synchronized Path path() {
      return path;
    }

    synchronized Moment moment() {
      return new Moment(states.size() - 1, settled);
    }

    synchronized List<byte[]> states(int from, int to) {
      return List.copyOf(states.subList(from, to + 1));
    }

    private synchronized byte[] last() {
      return states.get(states.size() - 1);
    }

    private synchronized void begin(byte[] next) {
      states.add(next);
      settled = false;
    }

    private synchronized void end(Path now) {
      path = now;
      settled = true;
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private final CacheCluster cluster;
  private final long seed;
  private final Random random;
  private final List<Tracked> files = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private int names;

  CheckedFiles(CacheCluster cluster, long seed) {
    this.cluster = cluster;
    this.seed = seed;
    this.random = new Random(seed);
  }

  void begin(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Tracked file = new Tracked();
      byte[] bytes = fresh(1 + random.nextInt(3 * CacheCluster.BLOCK));
      file.begin(bytes);
      Path path = newName();
      cluster.write(path.toString(), bytes);
      file.end(path);
      files.add(file);
    }
  }

  private Path newName() {
    return new Path("/d" + random.nextInt(3) + "/f" + names++);
  }

  private byte[] fresh(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  Tracked pick(Random by) {
    return files.get(by.nextInt(files.size()));
  }

  Map<String, Integer> counts() {
    return counts;
  }

  /** One random operation, waited for. */
  void operate() throws IOException {
    Tracked file = pick(random);
    int dice = random.nextInt(100);
    if (dice < 22) {
      count("append", () -> append(file));
    } else if (dice < 36) {
      count("truncate", () -> truncate(file));
    } else if (dice < 48) {
      count("replace", () -> replace(file));
    } else if (dice < 58) {
      count("rename", () -> rename(file));
    } else if (dice < 68) {
      count("replicate", () -> replicate(file));
    } else if (dice < 78) {
      count("evict", () -> CommandTest.run(cluster, "-evict", file.path().getParent().toString()));
    } else if (dice < 90) {
      count("flip", this::flip);
    } else {
      count("lose copy", this::loseCopy);
    }
  }

  private void count(String what, Step step) throws IOException {
    counts.merge(what, 1, Integer::sum);
    step.run();
  }

  private void append(Tracked file) throws IOException {
    byte[] old = file.last();
    byte[] more = fresh(1 + random.nextInt(CacheCluster.BLOCK));
    byte[] next = Arrays.copyOf(old, old.length + more.length);
    System.arraycopy(more, 0, next, old.length, more.length);
    file.begin(next);
    try (FSDataOutputStream out = whenAllowed(file.path())) {
      out.write(more);
    }
    file.end(file.path());
  }

  /** The NameNode refuses an append until it has heard of the last block's replica. */
  private FSDataOutputStream whenAllowed(Path path) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsMatching(e -> e.getMessage().contains("not sufficiently replicated yet"))
        .until(() -> cluster.fs().append(path), Objects::nonNull);
  }

  private void truncate(Tracked file) throws IOException {
    byte[] old = file.last();
    if (old.length < 2) {
      return;
    }
    int length = 1 + random.nextInt(old.length - 1);
    file.begin(Arrays.copyOf(old, length));
    if (!cluster.fs().truncate(file.path(), length)) {
      CacheCluster.await(
          () -> {
            try {
              assertThat(cluster.fs().isFileClosed(file.path())).isTrue();
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
    }
    file.end(file.path());
  }

  private void replace(Tracked file) throws IOException {
    byte[] next = fresh(1 + random.nextInt(3 * CacheCluster.BLOCK));
    // Until it is closed, what others see of the new file grows.
    file.begin(next);
    cluster.write(file.path().toString(), next);
    file.end(file.path());
  }

  private void rename(Tracked file) throws IOException {
    file.begin(file.last());
    Path to = newName();
    cluster.fs().mkdirs(to.getParent());
    assertThat(cluster.fs().rename(file.path(), to)).isTrue();
    file.end(to);
  }

  private void replicate(Tracked file) throws IOException {
    cluster.fs().setReplication(file.path(), (short) (1 + random.nextInt(2)));
  }

  /**
   * What the device has got wrong is there from the first look on: a reader's pages never change
   * under it, as they would if the file were written to.
   */
  private void flip() throws IOException {
    java.nio.file.Path copy = anyCopy();
    if (copy != null) {
      try {
        byte[] bytes = Files.readAllBytes(copy);
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        java.nio.file.Path flipped = cluster.ssd(0).resolveSibling("flipped");
        Files.write(flipped, bytes);
        Files.move(flipped, copy, StandardCopyOption.ATOMIC_MOVE);
      } catch (NoSuchFileException e) {
        counts.merge("flip came too late", 1, Integer::sum);
      }
    }
  }

  private void loseCopy() throws IOException {
    java.nio.file.Path copy = anyCopy();
    if (copy != null) {
      Files.deleteIfExists(copy);
    }
  }

  private java.nio.file.Path anyCopy() throws IOException {
    List<java.nio.file.Path> copies = new ArrayList<>();
    try {
      copies.addAll(cluster.copies(0));
      copies.addAll(cluster.copies(1));
    } catch (java.io.UncheckedIOException e) {
      counts.merge("copies changed while listed", 1, Integer::sum);
    }
    return copies.isEmpty() ? null : copies.get(random.nextInt(copies.size()));
  }

  /** Every file is what it should be, read twice. */
  void checkAll() throws IOException {
    for (int round = 0; round < 2; round++) {
      for (Tracked file : files) {
        assertThat(Arrays.equals(cluster.read(file.path().toString()), file.last()))
            .as("%s, mammoth.seed=%d", file.path(), seed)
            .isTrue();
      }
    }
  }
}
