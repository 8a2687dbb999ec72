// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileUtil;
import org.mammoth.mapreduce.nodemanager.processes.UserProcesses;

/**
 * What {@code container-executor} does, for the one user who runs this test: folders, copies, a
 * session of its own, number and end of the process in files.
 */
final class PlainProcesses implements UserProcesses {

  private final Path localDir;
  private final Path logDir;

  PlainProcesses(Path localDir, Path logDir) {
    this.localDir = localDir;
    this.logDir = logDir;
  }

  @Override
  public List<Path> localDirs() {
    return List.of(localDir);
  }

  @Override
  public List<Path> logDirs() {
    return List.of(logDir);
  }

  @Override
  public void run(Launch launch) throws IOException {
    Files.createDirectories(launch.workDir());
    Files.createDirectories(logDir.resolve(launch.application()).resolve(launch.container()));
    Path script =
        Files.copy(launch.script(), launch.workDir().resolve("default_container_executor.sh"));
    Files.copy(launch.credentials(), launch.workDir().resolve("container_tokens"));
    Process process =
        new ProcessBuilder("setsid", script.toString())
            .directory(launch.workDir().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Files.writeString(launch.pidFile(), String.valueOf(process.pid()));
    try {
      int code = process.waitFor();
      Files.writeString(Path.of(launch.pidFile() + ".exitcode"), String.valueOf(code));
      if (code != 0) {
        throw new IOException("it ended with " + code);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Override
  public boolean signal(String user, long pid, int signal) throws IOException {
    Process kill =
        new ProcessBuilder("kill", "-" + signal, "--", "-" + pid)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return kill.waitFor(10, TimeUnit.SECONDS) && kill.exitValue() == 0;
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void delete(String user, List<Path> folders, List<Path> logs) {
    folders.forEach(folder -> FileUtil.fullyDelete(folder.toFile()));
    logs.forEach(folder -> FileUtil.fullyDelete(folder.toFile()));
  }
}
