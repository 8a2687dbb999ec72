// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.mammoth.engine.logs.TaskLogs;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/**
 * The files that a container's task prints and logs to, until the moment at which a process would
 * be gone: what threads that are left do then, such as to complain that they are interrupted, is in
 * no file on stock. Thread-safe.
 */
public final class ContainerOutput {

  private final Path folder;
  private final OutputStream stdout;
  private final OutputStream stderr;
  private volatile TaskLogs logs;
  private volatile boolean ended;

  /** Makes {@code stdout} and {@code stderr} anew in the folder of the container's logs. */
  public ContainerOutput(Path folder) throws IOException {
    this.folder = folder;
    stdout = new Ending(create(folder.resolve("stdout")));
    stderr = new Ending(create(folder.resolve("stderr")));
  }

  /** For appending, as children of the task may write to the same file. */
  private static OutputStream create(Path file) throws IOException {
    Files.deleteIfExists(file);
    return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
  }

  private final class Ending extends FilterOutputStream {
    Ending(OutputStream to) {
      super(to);
    }

    @Override
    public void write(int b) throws IOException {
      if (!ended) {
        out.write(b);
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (!ended) {
        out.write(bytes, offset, length);
      }
    }
  }

  public OutputStream stdout() {
    return stdout;
  }

  public OutputStream stderr() {
    return stderr;
  }

  /** Opens the logs, whose owner closes them; {@code isReduce} may have one for its shuffle. */
  public TaskLogs openLogs(ContainerLaunchSpec spec, boolean isReduce) throws IOException {
    TaskLogs opened = ContainerLogs.open(spec, folder, isReduce);
    logs = opened;
    return opened;
  }

  /** Drops what comes from now on; the files stay open. */
  public void end() {
    ended = true;
    TaskLogs opened = logs;
    if (opened != null) {
      opened.end();
    }
  }
}
