// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record is that of the script, which bash runs beside it. */
class LaunchRecordTest {

  /** Blocks, which are reckoned, and the columns' widths. */
  private static final Pattern NUMBER_AND_BLOCKS = Pattern.compile("^ *(\\d+) +\\d+ ");

  @TempDir Path node;
  private Path work;
  private Path logs;
  private Path ofScript;

  @BeforeEach
  void make() throws IOException {
    work = Files.createDirectories(node.resolve("container_1"));
    logs = Files.createDirectory(node.resolve("logs"));
    ofScript = Files.createDirectory(node.resolve("logs-of-script"));
    Path archive = Files.createDirectories(node.resolve("cache/archive/a/b/c/d/e/too-deep"));
    Files.writeString(node.resolve("cache/archive/a/word.txt"), "some words\n".repeat(1000));
    Files.createSymbolicLink(work.resolve("archive"), node.resolve("cache/archive"));
    Files.createSymbolicLink(work.resolve("lost"), node.resolve("cache/lost"));
    Files.writeString(work.resolve(".hidden.crc"), "x");
    Path old = Files.writeString(work.resolve("Old file"), "");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(700))));
    Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-------"));
    Files.createDirectories(work.resolve("tmp"));
    assertThat(archive).exists();
  }

  @Test
  void allIsAsTheScriptLeavesIt() throws Exception {
    script(true);
    // The script asks for the time, too, and its last line would be the container's program.
    run();
    LaunchRecord.write(work, logs);
    for (String name : List.of("prelaunch.out", "prelaunch.err", "launch_container.sh")) {
      assertThat(logs.resolve(name)).hasSameTextualContentAs(ofScript.resolve(name));
    }
    assertThat(mode("launch_container.sh")).isEqualTo("rw-r-----");
    List<String> listed = sections(logs);
    assertThat(listed).hasSizeGreaterThan(15).containsExactlyElementsOf(sections(ofScript));
    assertThat(listed).anyMatch(line -> line.contains("lost -> "));
    assertThat(listed).noneMatch(line -> line.contains("too-deep"));
  }

  @Test
  void withoutDebugInformationOnlyWhatIsSaidStays() throws Exception {
    script(false);
    LaunchRecord.write(work, logs);
    assertThat(logs.resolve("prelaunch.out"))
        .hasContent("Setting up env variables\nLaunching container\n");
    assertThat(names()).containsExactly("prelaunch.err", "prelaunch.out");
  }

  @Test
  void withoutScriptNothingIsWritten() throws Exception {
    LaunchRecord.write(work, logs);
    assertThat(logs).isEmptyDirectory();
  }

  /** As Hadoop's ShellScriptBuilder writes it, less what the container's program needs. */
  private void script(boolean debug) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("#!/bin/bash");
    lines.add("exec >\"" + ofScript.resolve("prelaunch.out") + "\"");
    lines.add("exec 2>\"" + ofScript.resolve("prelaunch.err") + "\"");
    lines.add("echo \"Setting up env variables\"");
    lines.add("export TEXT=\"echo no\"");
    if (debug) {
      String info = "\"" + ofScript.resolve("directory.info") + "\"";
      String copy = "\"" + ofScript.resolve("launch_container.sh") + "\"";
      lines.add("echo \"Copying debugging information\"");
      lines.add("cp \"launch_container.sh\" " + copy);
      lines.add("chmod 640 " + copy);
      lines.add("echo \"ls -l:\" 1>" + info);
      lines.add("ls -l 1>>" + info);
      lines.add("echo \"find -L . -maxdepth 5 -ls:\" 1>>" + info);
      lines.add("find -L . -maxdepth 5 -ls 1>>" + info);
      lines.add("echo \"broken symlinks(find -L . -maxdepth 5 -type l -ls):\" 1>>" + info);
      lines.add("find -L . -maxdepth 5 -type l -ls 1>>" + info);
    }
    lines.add("echo \"Launching container\"");
    Files.write(work.resolve("launch_container.sh"), lines);
  }

  private void run() throws Exception {
    ProcessBuilder bash =
        new ProcessBuilder("bash", "launch_container.sh").directory(work.toFile()).inheritIO();
    bash.environment().put("LC_ALL", "C");
    assertThat(bash.start().waitFor()).isZero();
  }

  /** The lines of each section in an order of their own, as folders have none. */
  private static List<String> sections(Path folder) throws IOException {
    List<String> all = new ArrayList<>();
    List<String> section = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("directory.info"))) {
      if (line.endsWith(":")) {
        section.stream().sorted().forEach(all::add);
        section.clear();
        all.add(line);
      } else if (!line.startsWith("total ")) {
        section.add(NUMBER_AND_BLOCKS.matcher(line).replaceFirst("$1 ").replaceAll(" +", " "));
      }
    }
    section.stream().sorted().forEach(all::add);
    return all;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private String mode(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(logs.resolve(name)));
  }
}
