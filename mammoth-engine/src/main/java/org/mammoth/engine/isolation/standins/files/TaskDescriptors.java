// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * Descriptors of the files behind one task's standard streams, for programs that open the numbers 0
 * to 2 themselves, and the names by which they do. Opened when first asked for, closed with the
 * task. Thread-safe.
 */
final class TaskDescriptors {
  private static final String NOTHING = "/dev/null";

  /** All names of the standard streams begin with one of these. */
  private static final String DEVICES = "/dev/";

  private static final String SELF = "/proc/self";

  private static final String FOLDER = "/proc/self/cwd";

  private final TaskProcess process;
  private final Map<Integer, Closeable> opened = new HashMap<>();
  private final Map<Integer, FileDescriptor> descriptors = new HashMap<>();

  private TaskDescriptors(TaskProcess process) {
    this.process = process;
    process.atClose(this::close);
  }

  /** The caller's; null if no task calls. */
  static TaskDescriptors ofCaller() {
    TaskProcess process = Owners.callerOrNull();
    return process == null
        ? null
        : process.part(TaskDescriptors.class, () -> new TaskDescriptors(process));
  }

  /**
   * What a link of the kernel's, by which a program finds itself, is to the calling task; or null.
   */
  static Path link(Path path) {
    String name = path.toString();
    TaskProcess process = name.startsWith(SELF) ? Owners.callerOrNull() : null;
    if (process == null) {
      return null;
    }
    return switch (name) {
      case SELF -> Path.of(Long.toString(process.identity().pid()));
      case "/proc/self/fd/1" -> process.stdoutFile();
      case "/proc/self/fd/2" -> process.stderrFile();
      case FOLDER -> process.workDir();
      default -> null;
    };
  }

  /** A name without links, as the calling task's own process would have it. */
  static String shown(String real) {
    TaskProcess process = real.startsWith("/proc/") ? Owners.callerOrNull() : null;
    String ofEngine = "/proc/" + ProcessHandle.current().pid();
    boolean isOwn = process != null && (real + "/").startsWith(ofEngine + "/");
    return isOwn ? "/proc/" + process.identity().pid() + real.substring(ofEngine.length()) : real;
  }

  /** The file that the calling task means by an absolute name: its stream's if it is a stream's. */
  static String name(String absolute) {
    if (!absolute.startsWith(DEVICES) && !absolute.startsWith("/proc/")) {
      return absolute;
    }
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      return absolute;
    }
    String own = "/proc/" + process.identity().pid();
    if (absolute.equals(own) || absolute.startsWith(own + "/")) {
      return name(SELF + absolute.substring(own.length()));
    }
    return switch (absolute) {
      case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0" -> NOTHING;
      case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1" -> {
        process.stdout().flush();
        yield file(process.stdoutFile());
      }
      case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2" -> {
        process.stderr().flush();
        yield file(process.stderrFile());
      }
      default -> inFolder(process, absolute);
    };
  }

  private static String inFolder(TaskProcess process, String absolute) {
    return absolute.equals(FOLDER) || absolute.startsWith(FOLDER + "/")
        ? process.workDir() + absolute.substring(FOLDER.length())
        : absolute;
  }

  private static String file(Path path) {
    return path == null ? NOTHING : path.toString();
  }

  FileDescriptor in() {
    return descriptor(0, NOTHING);
  }

  FileDescriptor out() {
    if (process.isOutClosed()) {
      return new FileDescriptor();
    }
    process.stdout().flush();
    return descriptor(1, file(process.stdoutFile()));
  }

  FileDescriptor err() {
    if (process.isErrClosed()) {
      return new FileDescriptor();
    }
    process.stderr().flush();
    return descriptor(2, file(process.stderrFile()));
  }

  private synchronized FileDescriptor descriptor(int number, String file) {
    FileDescriptor known = descriptors.get(number);
    if (known != null) {
      return known;
    }
    try {
      FileDescriptor made;
      if (number == 0) {
        FileInputStream in = new FileInputStream(file);
        opened.put(number, in);
        made = in.getFD();
      } else {
        FileOutputStream out = new FileOutputStream(file, true);
        opened.put(number, out);
        made = out.getFD();
      }
      descriptors.put(number, made);
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException("standard stream " + number + " cannot be opened", e);
    }
  }

  private synchronized void close() {
    for (Closeable each : opened.values()) {
      try {
        each.close();
      } catch (IOException nobodyReadsIt) {
        continue;
      }
    }
    opened.clear();
  }
}
