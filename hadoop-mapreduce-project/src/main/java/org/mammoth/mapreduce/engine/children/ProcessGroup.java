// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.children;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;

/**
 * Tells which processes would be in a container's process group, on Linux. They are in the engine's
 * group, as none has left the group it was started in, and know the container by their environment,
 * which each process hands on to those it starts.
 *
 * <p>Stateless, thread-safe.
 */
public final class ProcessGroup {

  /** In /proc/PID/stat, behind the name, which is in brackets: state, parent, group. */
  private static final int GROUP_FIELD = 2;

  /** Has ended, and nobody has asked how. */
  private static final String ZOMBIE = "Z";

  private static final String OF_A_CONTAINER = Environment.CONTAINER_ID.name() + "=";

  private static final String PIPE = "pipe:";

  private final Path proc;
  private final ProcessHandle engine;
  private final String ofContainer;
  private final OptionalLong group;

  /**
   * The group of a container in an engine.
   *
   * @param proc where the kernel shows processes
   * @param engine the engine's process
   */
  public ProcessGroup(Path proc, ProcessHandle engine, String containerId) {
    this.proc = proc;
    this.engine = engine;
    this.ofContainer = OF_A_CONTAINER + containerId;
    this.group = groupOf(engine.pid());
  }

  /**
   * Whether a process belongs to it.
   *
   * @param descends whether it is known to have been started by the task or by one of its children
   */
  boolean contains(long pid, boolean descends) {
    return group.isPresent() && groupOf(pid).equals(group) && (descends || isMarked(pid));
  }

  /**
   * Whether a task of the engine has left it, and it cannot be told which: it is in the group that
   * the engine leads, is below no process of the engine's, and was started without the environment.
   */
  boolean isNobodys(ProcessHandle process) {
    return group.equals(OptionalLong.of(engine.pid()))
        && groupOf(process.pid()).equals(group)
        && !isEngineOrBelow(process)
        && hasNoMark(process.pid());
  }

  /**
   * Those of the container that have left the group and have pipes of which the engine has the
   * other ends.
   *
   * @param all to choose from
   * @param below those known to have been started by the task or by one of its children
   */
  List<ProcessHandle> atPipes(List<ProcessHandle> all, Set<ProcessHandle> below) {
    Set<String> pipes = pipes(engine.pid());
    return all.stream()
        .filter(each -> !each.equals(engine) && !groupOf(each.pid()).equals(group))
        .filter(each -> below.contains(each) || isMarked(each.pid()))
        .filter(each -> !Collections.disjoint(pipes, pipes(each.pid())))
        .toList();
  }

  /** What a process has open that is a pipe, as the kernel names it. */
  private Set<String> pipes(long pid) {
    Set<String> pipes = new HashSet<>();
    try (DirectoryStream<Path> open =
        Files.newDirectoryStream(proc.resolve(String.valueOf(pid)).resolve("fd"))) {
      for (Path each : open) {
        String target = target(each);
        if (target.startsWith(PIPE)) {
          pipes.add(target);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return pipes; // has ended, or is another user's
    }
    return pipes;
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // is closed
    }
  }

  private boolean isEngineOrBelow(ProcessHandle process) {
    Optional<ProcessHandle> each = Optional.of(process);
    while (each.isPresent() && !each.get().equals(engine)) {
      each = each.get().parent();
    }
    return each.isPresent();
  }

  private boolean hasNoMark(long pid) {
    try {
      return Stream.of(read(pid, "environ").split("\0"))
          .noneMatch(each -> each.startsWith(OF_A_CONTAINER));
    } catch (IOException e) {
      return false; // has ended, or is another user's
    }
  }

  private OptionalLong groupOf(long pid) {
    try {
      String stat = read(pid, "stat");
      String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
      return fields[0].equals(ZOMBIE)
          ? OptionalLong.empty()
          : OptionalLong.of(Long.parseLong(fields[GROUP_FIELD]));
    } catch (IOException | RuntimeException e) {
      return OptionalLong.empty(); // has ended, or another kind of system
    }
  }

  private boolean isMarked(long pid) {
    try {
      return Arrays.asList(read(pid, "environ").split("\0")).contains(ofContainer);
    } catch (IOException e) {
      return false; // has ended, or is another user's
    }
  }

  private String read(long pid, String file) throws IOException {
    Path path = proc.resolve(String.valueOf(pid)).resolve(file);
    return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
  }
}
