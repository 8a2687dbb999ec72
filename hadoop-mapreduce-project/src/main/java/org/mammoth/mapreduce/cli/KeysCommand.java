// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import java.io.PrintWriter;
import org.mammoth.config.names.KnownKeys;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mammoth keys}: every configuration key with default, range and meaning. */
@Command(
    name = "keys",
    description = "Lists Mammoth's configuration keys.",
    mixinStandardHelpOptions = true)
final class KeysCommand implements Runnable {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(names = "-xml", description = "As a Hadoop configuration file with all defaults.")
  private boolean xml;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    KnownKeys keys = KnownKeys.ofRelease();
    out.print(xml ? keys.xml() : keys.text());
    out.flush();
  }
}
