// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;

/**
 * Told once what became of a piece of a file. It is called by a disk's thread, or by the thread
 * that failed or aborted the file, without a lock held. It must not wait. What it throws fails the
 * file.
 */
@FunctionalInterface
public interface WriteCallback {

  /**
   * The scheduler does not touch the memory any more.
   *
   * @param failure null if the bytes were written; else why the file they belong to was not
   */
  void done(IOException failure);
}
