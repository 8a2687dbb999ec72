// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.IOException;
import java.nio.file.Path;

/** Which files are one task's alone. Stateless, thread-safe. */
public final class OwnFiles {
  private OwnFiles() {}

  /**
   * Whether a file lies in a folder of the task's own once links are followed: in its working
   * folder there are links to what all tasks of a node share.
   *
   * @param file as the task names it; need not exist
   */
  public static boolean inFolders(TaskProcess process, Path file) {
    Path real = real(process.workDir().resolve(file));
    return real.startsWith(real(process.workDir())) || inTmp(process, real);
  }

  /** Whether a file lies in the task's folder for temporary files once links are followed. */
  public static boolean inTmp(TaskProcess process, Path file) {
    return real(file).startsWith(real(process.tmpDir()));
  }

  /** A file's name without links; of one that is not there, its absolute name. */
  static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException gone) {
      return path.toAbsolutePath().normalize();
    }
  }
}
