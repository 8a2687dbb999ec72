// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.mammoth.compat.cluster.EngineBean;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.FilesTask;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;

/**
 * Two users' tasks and ordinary clients write, read, rename, delete, overwrite, append, truncate,
 * join, protect and take snapshots of the same files in random order, while engines are killed and
 * the DataNode is restarted. Whatever a task reads, byte or error, is what stock's client reads.
 * The long form: {@code -Dtest.heap="1800m -Dmammoth.data-cache.rounds=200"}; a round that failed
 * is had again by {@code -Dmammoth.data-cache.seed=N} there.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DataCacheSafetyIT {
  private static final String EXECUTOR =
      "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor";
  private static final String ORDERS = "org.mammoth.compat.jobs.FileOrders";
  private static final List<String> USERS = List.of("alice", "bob");
  private static final int STEPS = 40;
  private static final int FILES = 4;
  private static final int MOST_BYTES = 300_000;
  private static final int MOST_ASKED = 20;
  private static final long PAUSE_MS = 50;

  private MiniCluster cluster;
  private BiFunction<FileSystem, String, String> orders;
  private final Map<String, FilesTask> tasks = new TreeMap<>();
  private final Map<String, FileSystem> stock = new TreeMap<>();
  private long hits;
  private long bytesFromMemory;

  @BeforeAll
  @SuppressWarnings("unchecked")
  void start() throws Exception {
    cluster =
        new MiniCluster(
            java.nio.file.Path.of(
                System.getProperty("java.io.tmpdir"),
                "data-cache-safety-" + ProcessHandle.current().pid()),
            EXECUTOR,
            Map.of(
                "mammoth.data-cache.enabled",
                "true",
                "mammoth.data-cache.paths",
                "/shared",
                "mammoth.memory.unit-kb",
                "64",
                "mammoth.engine.quarantine.deaths",
                "100",
                "dfs.client.retry.window.base",
                "50"));
    for (String open : List.of("/probe", "/shared")) {
      cluster.fs().mkdirs(new Path(open));
      cluster.fs().setPermission(new Path(open), new FsPermission("777"));
    }
    JobCode code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("files.jar"));
    orders =
        (BiFunction<FileSystem, String, String>)
            code.loader().loadClass(ORDERS).getDeclaredConstructor().newInstance();
    for (String user : USERS) {
      UserGroupInformation who = UserGroupInformation.createRemoteUser(user);
      tasks.put(user, as(who, () -> FilesTask.start(cluster, code, "files-" + user)));
      stock.put(user, as(who, () -> FileSystem.newInstance(cluster.uri(), cluster.conf())));
    }
  }

  private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws Exception {
    return user.doAs(action);
  }

  @AfterAll
  void stop() throws Exception {
    try {
      for (FilesTask task : tasks.values()) {
        task.end();
      }
    } finally {
      if (cluster != null) {
        cluster.close();
      }
    }
  }

  @Test
  void tasksReadWhatStockReads() throws Exception {
    int rounds = Integer.getInteger("mammoth.data-cache.rounds", 20);
    long seed = Long.getLong("mammoth.data-cache.seed", System.nanoTime());
    for (int round = 0; round < rounds; round++) {
      List<String> done = new ArrayList<>();
      try {
        round(new Random(seed + round), "/shared/" + round, done);
      } catch (Exception | AssertionError e) {
        throw new AssertionError(
            "-Dmammoth.data-cache.rounds=1 -Dmammoth.data-cache.seed="
                + (seed + round)
                + " after\n"
                + String.join("\n", done),
            e);
      }
    }
    USERS.forEach(this::count);
    System.out.printf(
        "seed %d: %d rounds, %d files found in memory, %d bytes read from it%n",
        seed, rounds, hits, bytesFromMemory);
    assertThat(bytesFromMemory).as("a cache that is never read would prove nothing").isPositive();
  }

  private void round(Random random, String folder, List<String> done) throws Exception {
    cluster.fs().mkdirs(new Path(folder));
    cluster.fs().setPermission(new Path(folder), new FsPermission("777"));
    ((DistributedFileSystem) cluster.fs()).allowSnapshot(new Path(folder));
    for (int step = 0; step < STEPS; step++) {
      String user = USERS.get(random.nextInt(USERS.size()));
      int chance = random.nextInt(100);
      if (chance < 2) {
        done.add("kill the engine of " + user);
        count(user);
        Engines.kill(Engines.of(user));
        // The next attempt's answer: its engine is there.
        tasks.get(user).ask("read " + folder + " 0");
      } else if (chance < 4) {
        done.add("restart the DataNode");
        assertThat(cluster.hdfs().restartDataNode(0, true)).isTrue();
        cluster.hdfs().waitActive();
      } else if (chance < 55) {
        String line = change(random, folder, step);
        boolean byTask = random.nextInt(3) > 0;
        String answer = byTask ? tasks.get(user).ask(line) : orders.apply(stock.get(user), line);
        done.add((byTask ? "task of " : "client of ") + user + ": " + line + " -> " + answer);
      } else {
        compare(user, reading(random, folder), done);
      }
    }
    for (int file = 0; file < FILES; file++) {
      for (String user : USERS) {
        compare(user, "read " + folder + "/f" + file + " " + random.nextInt(), done);
      }
    }
  }

  /** Asks again while the NameNode ends an attempt's lease, or a block grows shorter. */
  private void compare(String user, String line, List<String> done) throws Exception {
    String answer = "";
    String expected = "not asked";
    for (int asked = 0; asked < MOST_ASKED && !answer.equals(expected); asked++) {
      TimeUnit.MILLISECONDS.sleep(asked * PAUSE_MS);
      String before = orders.apply(stock.get(user), line);
      answer = tasks.get(user).ask(line);
      expected = orders.apply(stock.get(user), line);
      // Only where stock's own answer stood still may the task's differ for a reason.
      asked = before.equals(expected) && !answer.equals(expected) ? MOST_ASKED : asked;
    }
    done.add("task of " + user + ": " + line + " -> " + answer);
    assertThat(answer).isEqualTo(expected);
  }

  private static String file(Random random, String folder) {
    return folder + "/f" + random.nextInt(FILES);
  }

  private static String reading(Random random, String folder) {
    boolean old = random.nextInt(6) == 0;
    String name = "/f" + random.nextInt(FILES);
    return "read "
        + folder
        + (old ? "/.snapshot/s" + random.nextInt(STEPS) : "")
        + name
        + " "
        + random.nextInt();
  }

  private static String change(Random random, String folder, int step) {
    String file = file(random, folder);
    String fill = " " + random.nextInt() + " " + random.nextInt(MOST_BYTES);
    return switch (random.nextInt(16)) {
      case 0, 1, 2, 3, 4, 5 -> "write " + file + fill;
      case 6 -> "abort " + file + fill;
      case 7, 8 -> "append " + file + fill;
      case 9, 10 -> "truncate " + file + " " + random.nextInt(MOST_BYTES / 2);
      case 11 -> "rename " + file + " " + file(random, folder);
      case 12 -> "delete " + file;
      case 13 -> "concat " + file + " " + file(random, folder);
      case 14 -> "snapshot " + folder + " s" + step;
      default -> "mode " + file + (random.nextBoolean() ? " 600" : " 644");
    };
  }

  /** What an engine's cache has done so far; it is gone with the engine. */
  private void count(String user) {
    try (EngineBean bean = EngineBean.of(Engines.of(user))) {
      hits += bean.snapshot().dataCache().hits();
      bytesFromMemory += bean.snapshot().dataCache().readBytes();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
