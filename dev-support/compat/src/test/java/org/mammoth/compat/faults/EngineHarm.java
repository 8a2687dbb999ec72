// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.mammoth.compat.cluster.Engines;

/** What can be done to a running engine from outside, and undone. */
enum EngineHarm {
  /** Killed, as {@code kill -9}. */
  KILL {
    @Override
    void harm(ProcessHandle engine, Random random, boolean isLong) {
      Engines.kill(engine);
    }
  },

  /** Stands still: every call is slow, in the long form slower than its time-out of 20 s. */
  SLOW_CALLS {
    @Override
    void harm(ProcessHandle engine, Random random, boolean isLong)
        throws IOException, InterruptedException {
      run("kill", "-STOP", pid(engine));
      TimeUnit.MILLISECONDS.sleep(1_000 + random.nextInt(isLong ? 29_000 : 2_000));
      run("kill", "-CONT", pid(engine));
    }
  },

  /** Can open few more files, or none. */
  NO_DESCRIPTORS {
    @Override
    void harm(ProcessHandle engine, Random random, boolean isLong)
        throws IOException, InterruptedException {
      String usual = run("prlimit", "--pid", pid(engine), "--nofile", "-o", "SOFT", "--noheadings");
      long open;
      try (Stream<Path> files = Files.list(Path.of("/proc", pid(engine), "fd"))) {
        open = files.count();
      }
      run("prlimit", "--pid", pid(engine), "--nofile=" + (open + random.nextInt(20)) + ":");
      TimeUnit.MILLISECONDS.sleep(500 + random.nextInt(2_000));
      run("prlimit", "--pid", pid(engine), "--nofile=" + usual.trim() + ":");
    }
  },

  /** Has no room for the stacks of more than a few threads. */
  NO_THREADS {
    @Override
    void harm(ProcessHandle engine, Random random, boolean isLong)
        throws IOException, InterruptedException {
      String pages = Files.readString(Path.of("/proc", pid(engine), "statm")).split(" ")[0];
      long bytes = Long.parseLong(pages) * 4096 + ((long) random.nextInt(4) << 20);
      run("prlimit", "--pid", pid(engine), "--as=" + bytes + ":");
      TimeUnit.MILLISECONDS.sleep(500 + random.nextInt(2_000));
      run("prlimit", "--pid", pid(engine), "--as=unlimited:");
    }
  },

  /** The disk on which engines live loses its folder, and takes no new one for a while. */
  NO_DISK {
    @Override
    void harm(ProcessHandle engine, Random random, boolean isLong)
        throws IOException, InterruptedException {
      Path homes = Engines.home(engine).getParent();
      Path away = homes.resolveSibling("away-" + pid(engine) + "-" + random.nextInt(1 << 20));
      Files.move(homes, away);
      Files.writeString(homes, "Where the folder was there is a file.");
      TimeUnit.MILLISECONDS.sleep(2_000 + random.nextInt(3_000));
      Files.delete(homes);
    }
  };

  /** Does it, waits, and undoes what can be undone; throws if the engine died meanwhile. */
  abstract void harm(ProcessHandle engine, Random random, boolean isLong)
      throws IOException, InterruptedException;

  private static String pid(ProcessHandle engine) {
    return String.valueOf(engine.pid());
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(List.of(command) + " failed: " + output);
    }
    return output;
  }
}
