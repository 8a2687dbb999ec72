// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code mammoth} command. */
@Command(
    name = "mammoth",
    description = "Looks at and steers what Mammoth adds to a Hadoop cluster.",
    mixinStandardHelpOptions = true,
    subcommands = {
      EngineCommand.class,
      CacheCommand.class,
      KeysCommand.class,
      SwitchCommand.class,
      CommandLine.HelpCommand.class
    })
public final class MammothCli implements Runnable {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  /** Exits with 0, 1 when a node could not be asked, 2 for a wrong command line. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new MammothCli()).execute(args));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
