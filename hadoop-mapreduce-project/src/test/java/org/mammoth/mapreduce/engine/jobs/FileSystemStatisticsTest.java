// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.TaskProcess;

class FileSystemStatisticsTest {

  private static final class Deaf implements TaskProcess.Listener {
    @Override
    public void onExit(int status, boolean halt) {
      throw new AssertionError("exit " + status);
    }

    @Override
    public void onProcessNeeded(String what) {}

    @Override
    public void onUncaught(Thread thread, Throwable error) {
      throw new AssertionError(error);
    }

    @Override
    public void onOutOfMemory(Thread thread, OutOfMemoryError error) {
      throw error;
    }
  }

  private static FileSystemStatistics table;

  @TempDir Path folder;

  @BeforeAll
  static void install() {
    table = FileSystemStatistics.install();
  }

  @SuppressWarnings("deprecation") // the look-up that upstream's Task uses
  private static long bytesWritten() {
    return FileSystem.getAllStatistics().stream()
        .filter(statistics -> statistics.getScheme().equals("file"))
        .mapToLong(FileSystem.Statistics::getBytesWritten)
        .sum();
  }

  private long inTask(TaskProcess task, int bytes) throws InterruptedException {
    AtomicLong counted = new AtomicLong();
    AtomicReference<Exception> failure = new AtomicReference<>();
    Thread main =
        new Thread(
            task.threads(),
            () -> {
              try {
                counted.set(writeAs(task.name(), bytes));
              } catch (IOException | InterruptedException e) {
                failure.set(e);
              }
            });
    main.start();
    main.join();
    assertThat(failure.get()).isNull();
    return counted.get();
  }

  private long writeAs(String user, int bytes) throws IOException, InterruptedException {
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<Long>)
                () -> {
                  FileSystem local = FileSystem.getLocal(new Configuration(false)).getRaw();
                  try (OutputStream out =
                      local.create(new org.apache.hadoop.fs.Path(folder + "/" + user))) {
                    out.write(new byte[bytes]);
                  }
                  return bytesWritten();
                });
  }

  private TaskProcess task(String name) {
    return TaskProcess.builder(name).workDir(folder).listener(new Deaf()).build();
  }

  @Test
  void eachTaskCountsItsOwnBytesOnly() throws Exception {
    long before = bytesWritten();
    try (TaskProcess one = task("one");
        TaskProcess two = task("two")) {
      assertThat(inTask(one, 1000)).isEqualTo(1000);
      assertThat(inTask(two, 30)).isEqualTo(30);
      assertThat(inTask(one, 5)).isEqualTo(1005);
      assertThat(bytesWritten()).as("the engine's own").isEqualTo(before);
      table.forget(one);
      assertThat(inTask(one, 7)).as("after it was forgotten").isEqualTo(7);
    }
  }
}
