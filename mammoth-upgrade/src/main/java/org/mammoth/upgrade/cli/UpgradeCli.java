// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code mammoth-upgrade} command. */
@Command(
    name = "mammoth-upgrade",
    description = {
      "Adds Mammoth to the nodes of a running Apache Hadoop, and takes it out again.",
      "No file of Hadoop's or of the administrator's is changed, and no data is converted."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      CheckCommand.class,
      ApplyCommand.class,
      StatusCommand.class,
      RollbackCommand.class,
      DoctorCommand.class,
      ConfigureCommand.class,
      CommandLine.HelpCommand.class
    },
    footerHeading = "%n",
    footer = {
      "Without --hosts a command is for this node, with it for all hosts of the list, by ssh.",
      "Exit status: 0; 1 when something is in the way or went wrong; 2 for a wrong command line."
    })
public final class UpgradeCli implements Runnable {

  /** As which command it was called: {@code mammoth} hands some of its own on. */
  private static final String NAME =
      System.getenv().getOrDefault("MAMMOTH_COMMAND", "mammoth-upgrade");

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  /** Exits with 0, 1 when something is in the way or went wrong, 2 for a wrong command line. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new UpgradeCli())
            .setCommandName(NAME)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(UpgradeCli::report)
            .execute(args));
  }

  private static int report(Exception e, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    // What walks a folder wraps what it meets.
    Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
    if (!(cause instanceof IOException)) {
      throw e;
    }
    command.getOut().flush();
    command.getErr().println(NAME + ": " + Text.of((IOException) cause));
    return 1;
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
