// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.util.Shell.ExitCodeException;
import org.apache.hadoop.util.Shell.ShellCommandExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EndKind;

/** A container that no engine takes runs as on stock, or not at all if it has been killed. */
class InEngineCommandTest {

  @TempDir private Path folder;

  private final AtomicBoolean wanted = new AtomicBoolean(true);
  private final List<String> fellBack = new ArrayList<>();
  private final List<String> learned = new ArrayList<>();

  /** Makes a link in the container's folder, and begins; its process makes a file and fails. */
  private InEngineCommand command(ContainerTaker taker) {
    return command(taker, List.of("below/link"));
  }

  private InEngineCommand command(ContainerTaker taker, List<String> links) {
    Path pidFile = folder.resolve("pid");
    return new InEngineCommand(
        taker,
        "task",
        new ContainerLaunchSpec()
            .withIdentity("container_1_0001_01_000002", "ann", 400)
            .withFolders(folder.toString(), folder.toString(), List.of()),
        Map.of(new org.apache.hadoop.fs.Path("/target"), links),
        new org.apache.hadoop.fs.Path(pidFile.toUri()),
        new SyntheticPid(1),
        fellBack::add,
        learned::add,
        new WantedCommand(
            new ShellCommandExecutor(
                new String[] {"sh", "-c", "test ! -e pid; echo $? > begun; exit 7"},
                folder.toFile()),
            wanted::get));
  }

  private void assertRunsAsOnStock(InEngineCommand command) throws Exception {
    assertThatThrownBy(command::execute).isInstanceOf(ExitCodeException.class);
    assertThat(command.getExitCode()).isEqualTo(7);
    assertThat(folder.resolve("begun")).as("without a process id of ours").hasContent("0");
    assertThat(fellBack).hasSize(1);
  }

  @Test
  void itRunsWhereNoEngineTakesIt() throws Exception {
    assertRunsAsOnStock(
        command(
            (task, spec) -> {
              assertThat(folder.resolve("pid")).exists();
              throw new EngineUnavailableException("none is there");
            }));
    assertThat(Files.isSymbolicLink(folder.resolve("below/link"))).isFalse();
  }

  @Test
  void itRunsWhereItsFolderCannotBeMadeReady() throws Exception {
    // Where the draft of the file with its process id belongs.
    Files.createDirectory(folder.resolve("pid.tmp"));
    Files.writeString(folder.resolve("pid.tmp/other"), "in the way");
    assertRunsAsOnStock(
        command(
            (task, spec) -> {
              throw new AssertionError("handed over");
            }));
  }

  @Test
  void itRunsWhereAFileOfItsHasANameThatThisJvmCannotWrite() throws Exception {
    assertRunsAsOnStock(
        command(
            (task, spec) -> {
              throw new AssertionError("handed over");
            },
            List.of("below/link", "gr\0\0e.txt", "other")));
    assertThat(Files.isSymbolicLink(folder.resolve("below/link"))).isFalse();
  }

  @Test
  void aKillOnItsWayToAProcessIsHeeded() throws Exception {
    InEngineCommand command =
        command(
            (task, spec) -> {
              wanted.set(false);
              throw new EngineUnavailableException("it has died");
            });
    assertThatThrownBy(command::execute).isInstanceOf(ExitCodeException.class);
    assertThat(command.getExitCode()).isEqualTo(143);
    assertThat(folder.resolve("begun")).doesNotExist();
  }

  @Test
  void whatNeedsAProcessIsLearnedOfOneThatSucceeded() throws Exception {
    InEngineCommand command =
        command(
            (task, spec) ->
                CompletableFuture.completedFuture(
                    new ContainerExit(
                        spec.containerId(), EndKind.PROGRAM_WITH_NEED, 0, "needs a process")));
    command.execute();
    assertThat(command.getExitCode()).isZero();
    assertThat(learned).containsExactly("needs a process");
  }
}
