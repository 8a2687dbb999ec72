package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.server.nodemanager.util.ProcessIdFileReader;

/**
 * Process ids for containers that have no process: above Linux's greatest possible pid (2²²), so
 * that a signal or a look into /proc by upstream's code can meet no real process.
 */
final class SyntheticPid {

  private static final long FIRST = 1_000_000_000L;

  private final AtomicLong next;

  /**
   * @param nowMs spreads the ids of NodeManager lives, so that a recovered file is not mistaken
   */
  SyntheticPid(long nowMs) {
    next = new AtomicLong(FIRST + (nowMs / 1000 % FIRST));
  }

  /** Writes a fresh id as upstream's wrapper script would write the real one. */
  String write(Path pidFile) throws IOException {
    String pid = String.valueOf(next.incrementAndGet());
    java.nio.file.Path target = java.nio.file.Path.of(pidFile.toUri().getPath());
    java.nio.file.Path draft = target.resolveSibling(target.getFileName() + ".tmp");
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
