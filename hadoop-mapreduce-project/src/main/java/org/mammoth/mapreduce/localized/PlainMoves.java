// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.localized;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FilterFs;

/**
 * The local file system of a NodeManager that brings a job's files. Each one that has come is moved
 * to its place, as a folder and by a new name; before that upstream starts two processes, which ask
 * whether either name is a link ({@code FileUtil.readLink}). Here the move itself tells. What it
 * cannot do, upstream does.
 */
public final class PlainMoves extends FilterFs {

  private PlainMoves(AbstractFileSystem upstream) throws URISyntaxException {
    super(upstream);
  }

  /** The same files, folder and mask, with files moved so. */
  public static FileContext in(FileContext files, Configuration conf) throws IOException {
    try {
      FileContext plain =
          FileContext.getFileContext(new PlainMoves(files.getDefaultFileSystem()), conf);
      plain.setUMask(files.getUMask());
      plain.setWorkingDirectory(files.getWorkingDirectory());
      return plain;
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void renameInternal(
      org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to, boolean overwrite)
      throws IOException {
    if (!isMoved(from.toUri().getPath(), to.toUri().getPath())) {
      super.renameInternal(from, to, overwrite);
    }
  }

  /** Moves a folder to a name that nothing has; false if it is not one, or something has it. */
  private static boolean isMoved(String folder, String name) {
    try {
      Path from = Path.of(folder);
      Path to = Path.of(name);
      if (!Files.isDirectory(from, LinkOption.NOFOLLOW_LINKS)
          || Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
      // Between the question and the move nobody else takes the name: the NodeManager gives each
      // file a number of its own. A folder with something in it would not be replaced anyway.
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (IOException | RuntimeException e) {
      // Also a name that the JVM's locale cannot write.
      return false;
    }
  }
}
