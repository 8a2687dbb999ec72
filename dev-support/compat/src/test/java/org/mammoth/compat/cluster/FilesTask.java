// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** A task that does to HDFS what a test says, one order after the other, and answers. */
public final class FilesTask {
  private static final String FACTORY = "org.mammoth.compat.jobs.FilesJob";
  private static final Duration PATIENCE = Duration.ofSeconds(240);

  private final Path folder;
  private int next;

  private FilesTask(Path folder) {
    this.folder = folder;
  }

  /** Submits the job of the task as the calling user. */
  public static FilesTask start(MiniCluster cluster, JobCode code, String name) throws Exception {
    Probe.of(cluster, code, FACTORY, name, List.of(List.of("go"))).submit();
    return new FilesTask(cluster.home().resolve("notes").resolve("probe").resolve(name));
  }

  /** Waits for the answer to an order; an attempt that was killed is followed by another. */
  public String ask(String order) throws IOException {
    int number = next++;
    give(number, order);
    Path answer = folder.resolve(number + ".answer");
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .atMost(PATIENCE)
        .until(() -> Files.exists(answer));
    return Files.readString(answer, StandardCharsets.UTF_8);
  }

  private void give(int number, String order) throws IOException {
    Path made = folder.resolve(number + ".made-order");
    Files.writeString(made, order, StandardCharsets.UTF_8);
    Files.move(made, folder.resolve(number + ".order"), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Has the task end. Its job is not waited for: restarts of the only DataNode cut off the history
   * that its ApplicationMaster writes, on stock's as here, and such a job has no end to be told.
   */
  public void end() throws IOException {
    give(next++, "end");
  }
}
