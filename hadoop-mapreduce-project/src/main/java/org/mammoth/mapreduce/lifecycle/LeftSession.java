// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.lifecycle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;

/**
 * Tells whether processes are left of a session whose leader an earlier NodeManager has started, on
 * Linux. The kernel gives the number of a leader to nobody as long as one is left; but there are
 * only so many numbers, and a machine that starts gives them out anew.
 *
 * <p>Stateless, thread-safe; reads a file of each process.
 */
public final class LeftSession {

  /** In /proc/PID/stat, behind the name, which is in brackets: state, parent, group, session. */
  private static final int STATE_FIELD = 0;

  private static final int GROUP_FIELD = 2;
  private static final int SESSION_FIELD = 3;

  /** In the same place: when it has begun, ticks since the machine has. */
  private static final int BEGUN_FIELD = 19;

  /** Has ended, and nobody has asked how. */
  private static final String ZOMBIE = "Z";

  private static final String OF_A_CONTAINER = Environment.CONTAINER_ID.name() + "=";

  private final Path proc;

  /**
   * @param proc where the kernel shows processes
   */
  public LeftSession(Path proc) {
    this.proc = proc;
  }

  /** One that looks at the processes of this machine. */
  public static LeftSession ofMachine() {
    return new LeftSession(Path.of("/proc"));
  }

  /**
   * What is the same as long as this machine, or the container that it is, runs: numbers of
   * processes from before another one say nothing. Empty where the kernel does not tell.
   */
  public Optional<String> boot() {
    try {
      String machine = Files.readString(proc.resolve("sys/kernel/random/boot_id")).trim();
      return Optional.of(machine + " " + stat(1)[BEGUN_FIELD]);
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether the leader has ended and others of its session and group have not.
   *
   * @param leader number of a process that began the session, in the same {@link #boot}
   */
  public boolean isLeft(long leader) {
    return isOver(leader) && members(leader).findAny().isPresent();
  }

  /**
   * As {@link #isLeft}, and one of those left was started for a container of YARN's: what others
   * start, daemons for one, is not. Only of the calling process's own user.
   */
  public boolean isLeftOfContainers(long leader) {
    return isOver(leader) && members(leader).anyMatch(this::isOfContainer);
  }

  private boolean isOver(long leader) {
    try {
      return stat(leader)[STATE_FIELD].equals(ZOMBIE);
    } catch (IOException | RuntimeException e) {
      return !Files.exists(proc.resolve(String.valueOf(leader)));
    }
  }

  private Stream<Long> members(long leader) {
    String number = String.valueOf(leader);
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(
            pid -> {
              try {
                String[] fields = stat(pid);
                return fields[GROUP_FIELD].equals(number)
                    && fields[SESSION_FIELD].equals(number)
                    && !fields[STATE_FIELD].equals(ZOMBIE);
              } catch (IOException | RuntimeException e) {
                return false; // has ended, or is hidden
              }
            });
  }

  private boolean isOfContainer(long pid) {
    try {
      return Arrays.stream(read(pid, "environ").split("\0"))
          .anyMatch(each -> each.startsWith(OF_A_CONTAINER));
    } catch (IOException e) {
      return false; // has ended, or is another user's
    }
  }

  private String[] stat(long pid) throws IOException {
    String stat = read(pid, "stat");
    return stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
  }

  private String read(long pid, String file) throws IOException {
    Path path = proc.resolve(String.valueOf(pid)).resolve(file);
    return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
  }
}
