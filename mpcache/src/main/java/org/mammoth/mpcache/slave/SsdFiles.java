// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/** What the block store does with files. Tests put a disk behind it that fails. */
public interface SsdFiles {

  /**
   * Makes a folder that nobody enters but this process's user; no error if it is there, it is
   * closed to others then. Parents that are missing are made as ever.
   */
  void makeFolder(Path folder) throws IOException;

  /**
   * Creates a file for writing, in the place of one that is there; this process's user alone reads
   * it. Its bytes are on the device once it is closed.
   */
  OutputStream create(Path file) throws IOException;

  /**
   * Opens a file for reading. A real FileInputStream, as HDFS passes its descriptor on; it stays
   * readable after the file is deleted.
   */
  FileInputStream open(Path file) throws IOException;

  /** Renames within one directory tree, atomically, replacing what has that name. */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file; no error if it is gone. */
  void delete(Path file) throws IOException;

  /**
   * All files below a folder; empty if it does not exist.
   *
   * @throws IOException also if a folder below cannot be read
   */
  List<Path> list(Path folder) throws IOException;

  /** Bytes the device of a folder has left for us. */
  long usableBytes(Path folder) throws IOException;
}
