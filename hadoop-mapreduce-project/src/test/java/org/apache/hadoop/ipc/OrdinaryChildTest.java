// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapred.FallbackCountingRpcEngine;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OrdinaryContainerChild;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a task in an ordinary container hands on to jobs that it submits: nothing of ours. */
class OrdinaryChildTest {

  @TempDir private Path folder;

  /** Runs in a JVM of its own, which the main class changes. */
  public static final class Child {
    private Child() {}

    public static void main(String[] args) throws Throwable {
      try {
        OrdinaryContainerChild.main(new String[0]);
      } catch (ArrayIndexOutOfBoundsException nothingToRun) {
        JobConf submitted = new JobConf();
        System.out.println(
            RPC.getProtocolEngine(TaskUmbilicalProtocol.class, submitted).getClass().getName()
                + " "
                + submitted.get("rpc.engine." + TaskUmbilicalProtocol.class.getName()));
      }
    }
  }

  @Test
  void itsUmbilicalCountsAndItsJobsDoNotAskForThat() throws Exception {
    Path output = folder.resolve("output");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = child.waitFor(120, TimeUnit.SECONDS);
    String said = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(ended).as(said).isTrue();
    assertThat(said.lines()).contains(FallbackCountingRpcEngine.class.getName() + " null");
  }
}
