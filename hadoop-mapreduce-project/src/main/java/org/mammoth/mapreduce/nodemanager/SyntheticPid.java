// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.server.nodemanager.util.ProcessIdFileReader;

/**
 * Process ids for containers that have no process: above Linux's greatest possible pid (2²²), so
 * that a signal or a look into /proc by upstream's code can meet no real process.
 */
final class SyntheticPid {

  private static final long FIRST = 1_000_000_000L;

  /** The mode that {@code container-executor} gives such a file; a launch script gives it none. */
  static final FileAttribute<?> AS_SETUID_PROGRAM =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final AtomicLong next;
  private final FileAttribute<?>[] mode;

  /**
   * @param nowMs spreads the ids of NodeManager lives, so that a recovered file is not mistaken
   * @param mode of the files; as the process makes them if there is none
   */
  SyntheticPid(long nowMs, FileAttribute<?>... mode) {
    next = new AtomicLong(FIRST + (nowMs / 1000 % FIRST));
    this.mode = mode.clone();
  }

  /** Writes a fresh id as upstream would write the real one. */
  String write(Path pidFile) throws IOException {
    String pid = String.valueOf(next.incrementAndGet());
    java.nio.file.Path target = java.nio.file.Path.of(pidFile.toUri().getPath());
    java.nio.file.Path draft = target.resolveSibling(target.getFileName() + ".tmp");
    Files.deleteIfExists(draft);
    Files.createFile(draft, mode);
    Files.writeString(draft, pid + "\n");
    Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    return pid;
  }

  static String read(Path pidFile) throws IOException {
    return ProcessIdFileReader.getProcessId(pidFile);
  }

  static boolean isSynthetic(String pid) {
    try {
      return pid != null && Long.parseLong(pid) >= FIRST;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
