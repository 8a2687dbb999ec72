// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import org.mammoth.engine.config.IoKeys;

/**
 * What an error says about the disk. Java hands on the operating system's text and no number, so
 * the text is all there is to go by; an error whose text says nothing makes the disk a suspect, and
 * a probe file decides.
 */
enum DiskFault {
  /** The file is at fault: removed with its job, not permitted, too short. */
  NONE,
  /** No space or no quota left. */
  FULL,
  /** The disk itself fails. */
  BROKEN,
  /** A write failed and nobody knows why. */
  SUSPECT;

  /** How far a chain of causes is followed; it may be a ring. */
  private static final int CAUSES = 16;

  private static final List<String> FULL_TEXTS =
      List.of("no space left", "disk quota exceeded", "not enough space");
  private static final List<String> BROKEN_TEXTS =
      List.of(
          "input/output error",
          "i/o error",
          "read-only file system",
          "structure needs cleaning",
          "no such device",
          "stale file handle");

  /** What to think of the disk after an error. */
  static DiskFault of(Throwable error, IoDirection direction) {
    DiskFault fault = NONE;
    boolean judged = false;
    int depth = 0;
    for (Throwable e = error; e != null && depth < CAUSES; e = e.getCause()) {
      depth++;
      DiskFault one = ofOne(e, direction);
      if (one == FULL || one == BROKEN) {
        return one;
      }
      if (!judged && e instanceof IOException) {
        judged = true;
        fault = one;
      }
    }
    return fault;
  }

  private static DiskFault ofOne(Throwable error, IoDirection direction) {
    String text = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
    if (direction == IoDirection.WRITE && FULL_TEXTS.stream().anyMatch(text::contains)) {
      return FULL;
    }
    if (BROKEN_TEXTS.stream().anyMatch(text::contains)) {
      return BROKEN;
    }
    boolean ofTheFile =
        error instanceof NoSuchFileException
            || error instanceof FileNotFoundException
            || error instanceof FileAlreadyExistsException
            || error instanceof AccessDeniedException
            || error instanceof ClosedChannelException
            || error instanceof InterruptedIOException
            || error instanceof EOFException;
    return direction == IoDirection.READ || ofTheFile ? NONE : SUSPECT;
  }

  String remedy() {
    switch (this) {
      case FULL:
        return "The directory is used again when " + IoKeys.FULL_FREE_MB.name() + " are free.";
      case BROKEN:
        return "The directory is left out for " + IoKeys.QUARANTINE_TIME_MS.name() + ".";
      case SUSPECT:
        return "If a probe file fails too, the directory is left out for "
            + IoKeys.QUARANTINE_TIME_MS.name()
            + ".";
      case NONE:
      default:
        return "The directory stays in use; only I/O errors of the disk leave it out for "
            + IoKeys.QUARANTINE_TIME_MS.name()
            + ".";
    }
  }
}
