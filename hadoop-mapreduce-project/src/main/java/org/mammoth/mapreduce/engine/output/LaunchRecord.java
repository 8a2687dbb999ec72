// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainerLaunch;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a launch script leaves among the logs of its container, for a container that no script
 * launches: {@code prelaunch.out} with what it says, {@code prelaunch.err}, and where {@code
 * yarn.nodemanager.log-container-debug-info.enabled} asks for it a copy of the script, which shows
 * the environment and the command, and {@code directory.info}. Source: Hadoop's {@code
 * ContainerLaunch.ShellScriptBuilder}.
 */
public final class LaunchRecord {

  private static final Logger LOG = LoggerFactory.getLogger(LaunchRecord.class);

  private static final Pattern SAID = Pattern.compile("echo \"([^\"]*)\"");
  private static final String COPIES_ITSELF = "cp \"" + ContainerLaunch.CONTAINER_SCRIPT + "\"";
  private static final String COPY = "rw-r-----";
  private static final String LIST = "directory.info";

  private LaunchRecord() {}

  /** Writes the files if that is possible: a container runs without them. */
  public static void leave(Path workDir, Path logs) {
    try {
      write(workDir, logs);
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("No record of the launch from {} could be left in {}", workDir, logs, e);
    }
  }

  /**
   * Writes the files; none if the container's folder has no script.
   *
   * @param workDir the container's folder, complete
   * @param logs its folder of logs
   * @throws IOException if one of them cannot be written, or the folder not be read
   */
  static void write(Path workDir, Path logs) throws IOException {
    List<String> script;
    try {
      script = Files.readAllLines(workDir.resolve(ContainerLaunch.CONTAINER_SCRIPT));
    } catch (NoSuchFileException e) {
      return;
    }
    StringBuilder said = new StringBuilder();
    boolean copies = false;
    for (String line : script) {
      Matcher echo = SAID.matcher(line);
      if (echo.matches()) {
        said.append(echo.group(1)).append('\n');
      }
      copies |= line.startsWith(COPIES_ITSELF);
    }
    Files.writeString(logs.resolve(ContainerLaunch.CONTAINER_PRE_LAUNCH_STDOUT), said);
    Files.writeString(logs.resolve(ContainerLaunch.CONTAINER_PRE_LAUNCH_STDERR), "");
    if (copies) {
      Path copy = logs.resolve(ContainerLaunch.CONTAINER_SCRIPT);
      Files.write(copy, script);
      Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString(COPY));
      Files.writeString(logs.resolve(LIST), FolderList.of(workDir));
    }
  }

  /** The environment, with the engine's number where the launch script puts its shell's. */
  public static Map<String, String> environment(ContainerLaunchSpec spec) {
    String pid = String.valueOf(ProcessHandle.current().pid());
    Map<String, String> environment = new LinkedHashMap<>(spec.environment());
    environment.replaceAll((variable, value) -> value.replace("$$", pid));
    return environment;
  }
}
