// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file to be written from front to end. All calls but {@link #path} come from a disk's thread,
 * one at a time and in this order: perhaps {@link #writeThrough}, {@link #open}, any number of
 * {@link #write}, {@link #force} if asked for, {@link #close}. Instead of the rest, or after a
 * {@link #close} that failed or came too late, there is one {@link #abort}.
 */
public interface Target {

  /** Where the file lies: decides which disk it waits for. */
  Path path();

  /**
   * Called before {@link #open} for a disk that spins: what is written shall go there in the turn,
   * and not by way of the page cache some time later. A target that cannot do so leaves it.
   */
  default void writeThrough() {}

  /** Makes the file. */
  void open() throws IOException;

  /** Writes all that remains in {@code bytes}. */
  void write(ByteBuffer bytes) throws IOException;

  /** Waits until the disk itself has what was written. */
  void force() throws IOException;

  /** Completes the file. */
  void close() throws IOException;

  /**
   * Gives the file up: releases what is open and removes what is there. Nothing may be open yet.
   */
  void abort() throws IOException;
}
