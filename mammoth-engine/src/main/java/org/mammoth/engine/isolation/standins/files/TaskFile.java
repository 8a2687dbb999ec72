// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import java.io.File;
import java.io.IOException;
import java.net.URI;

/**
 * What {@code new File(...)} makes in rewritten code: a file whose path is absolute, resolved
 * against the task's working directory, but which remembers what the user wrote.
 *
 * <p>Why this way: the JDK and every library open a file by {@code getPath()} or by the path field,
 * so with an absolute path they all do the right thing without being rewritten. What must show the
 * user's own words is user code, and that is rewritten: its calls of {@code getPath}, {@code
 * getParent}, {@code isAbsolute}, {@code toPath} and {@code listFiles} go to {@link FileCalls}; its
 * string concatenations use {@link #toString}. Two are equal, in order and in one place of a hash
 * table as what was written is: the JDK's maps and sorts ask the file itself. To a file of Hadoop's
 * or of a library's own, which compares itself by the path field, it is what it is to that one.
 *
 * <p>Left over: that, its class, and its form when it is serialized. Immutable.
 */
public final class TaskFile extends File {
  private static final long serialVersionUID = 1L;

  private final String written;

  /** As {@link File#File(String)}. */
  public TaskFile(String path) {
    this(new File(path));
  }

  /** As {@link File#File(String, String)}. */
  public TaskFile(String parent, String child) {
    this(new File(parent, child));
  }

  /** As {@link File#File(File, String)}. */
  public TaskFile(File parent, String child) {
    this(new File(asWritten(parent), child));
  }

  /** As {@link File#File(URI)}. */
  public TaskFile(URI uri) {
    this(new File(uri));
  }

  TaskFile(File plain) {
    super(FileCalls.name(plain.getPath()));
    written = plain.getPath();
  }

  /** The path as the user wrote it, in the JDK's normal form. */
  String written() {
    return written;
  }

  /** The plain file the user would have had in a process of its own; null for null. */
  public static File asWritten(File file) {
    return file instanceof TaskFile ? new File(((TaskFile) file).written) : file;
  }

  /** One of the job's, too: it is not equal to one that is written otherwise. */
  @Override
  public File getAbsoluteFile() {
    return new TaskFile(getAbsolutePath());
  }

  @Override
  public File getCanonicalFile() throws IOException {
    return new TaskFile(getCanonicalPath());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof File && compareTo((File) other) == 0;
  }

  @Override
  public int hashCode() {
    return asWritten(this).hashCode();
  }

  @Override
  public int compareTo(File other) {
    return other instanceof TaskFile
        ? asWritten(this).compareTo(asWritten(other))
        : super.compareTo(other);
  }

  @Override
  public String toString() {
    return written;
  }

  private Object writeReplace() {
    return new File(getPath());
  }
}
