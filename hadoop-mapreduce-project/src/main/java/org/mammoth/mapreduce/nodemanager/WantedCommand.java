// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.util.Shell.CommandExecutor;
import org.apache.hadoop.util.Shell.ExitCodeException;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor.ExitCode;

/**
 * A container's command that does not begin once the container has been killed. Upstream asks that
 * before it runs a command; one that has tried an engine meanwhile has to ask again.
 */
final class WantedCommand implements CommandExecutor {

  private final CommandExecutor command;
  private final BooleanSupplier wanted;
  private boolean refused;

  /**
   * @param wanted whether nobody has killed the container
   */
  WantedCommand(CommandExecutor command, BooleanSupplier wanted) {
    this.command = command;
    this.wanted = wanted;
  }

  @Override
  public void execute() throws IOException {
    if (!wanted.getAsBoolean()) {
      refused = true;
      throw new ExitCodeException(getExitCode(), "It was killed before it began.");
    }
    command.execute();
  }

  @Override
  public int getExitCode() throws IOException {
    return refused ? ExitCode.TERMINATED.getExitCode() : command.getExitCode();
  }

  @Override
  public String getOutput() throws IOException {
    return refused ? "" : command.getOutput();
  }

  @Override
  public void close() {
    command.close();
  }
}
