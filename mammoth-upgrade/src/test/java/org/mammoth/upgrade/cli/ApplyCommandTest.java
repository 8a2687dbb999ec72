// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Hosts that a stand-in of ssh reaches, or does not. */
class ApplyCommandTest {

  private static final String BASE = "mammoth.upgrade.base";

  @TempDir Path temp;

  private final StringWriter said = new StringWriter();
  private Path workers;

  @BeforeEach
  void start() throws IOException {
    Path jars = Files.createDirectories(temp.resolve("base/share/hadoop/mammoth/upgrade"));
    Files.writeString(jars.resolve("jackson-databind-2.jar"), "");
    Files.createDirectories(temp.resolve("base/bin"));
    Files.writeString(temp.resolve("base/bin/mammoth-upgrade"), "");
    System.setProperty(BASE, temp.resolve("base").toString());
    workers = Files.writeString(temp.resolve("workers"), "good\nbad\n");
  }

  @AfterEach
  void end() {
    System.clearProperty(BASE);
  }

  private int apply(String ssh) {
    PrintWriter out = new PrintWriter(said, true);
    return new CommandLine(new UpgradeCli())
        .setOut(out)
        .setErr(out)
        .execute("apply", "--hadoop-home=/x", "--hosts=" + workers, "--ssh=" + ssh, "--fit-only");
  }

  @Test
  void whereNoHostIsFitNothingIsDoneAndThatIsNoSuccess() {
    assertThat(apply("false")).isEqualTo(1);
    assertThat(said.toString())
        .contains("Nothing was changed: no host is fit.")
        .contains("ssh HOST true has to work");
  }

  @Test
  void hostsThatAreLeftOutAreNamed() throws IOException {
    Path ssh =
        Files.writeString(
            temp.resolve("ssh"),
            "#!/bin/sh\n[ $1 = good ] || exit 255\n"
                + "case $2 in *check*) echo '{\"fit\":true,\"findings\":[]}' ;; esac\n");
    Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(apply(ssh.toString())).as(said.toString()).isZero();
    assertThat(said.toString())
        .contains("apply done on 1 of 1 hosts")
        .contains("left out (--fit-only): bad");
  }
}
