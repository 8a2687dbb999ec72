// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.file.Path;

/** Tries whether a directory can be used. Called by a disk's thread. */
public interface DirProbe {

  /** Writes a small file to the disk itself, reads it back and removes it. */
  void tryFile(Path dir) throws IOException;

  /** Bytes that this user could still write. */
  long usableBytes(Path dir) throws IOException;
}
