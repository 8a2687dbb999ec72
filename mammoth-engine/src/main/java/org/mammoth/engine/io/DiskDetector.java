// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Says which disk a local directory lies on. */
@FunctionalInterface
public interface DiskDetector {

  /**
   * A name for the disk; directories of one name share its turns.
   *
   * @throws IOException if that cannot be found out; the directory then counts as a disk of its own
   */
  String diskOf(Path dir) throws IOException;

  /**
   * Takes each mounted file system for a disk. Two partitions of one spindle count as two disks;
   * give the engine one directory per spindle.
   */
  static DiskDetector byFileStore() {
    return dir -> Files.getFileStore(dir).toString();
  }
}
