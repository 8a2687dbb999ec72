// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A range of a file that somebody waits for. Ends once, well or not, by any thread. */
final class RangeRead {

  final Path path;
  final long version;
  final long from;
  final long end;
  final BlockSums sums;

  private final ByteBuffer into;
  private final Consumer<IOException> done;

  @GuardedBy("this")
  private boolean over;

  RangeRead(
      Path path,
      long version,
      long from,
      ByteBuffer into,
      BlockSums sums,
      Consumer<IOException> done) {
    this.path = path;
    this.version = version;
    this.from = from;
    this.end = from + into.remaining();
    this.into = into;
    this.sums = sums;
    this.done = done;
  }

  /** Whether it may be read together with {@code other} of the same file. */
  boolean sameFile(RangeRead other) {
    return version == other.version && path.equals(other.path);
  }

  /**
   * Takes what it wants of {@code bytes}, which lie at {@code position} of the file and may begin
   * before and end after it. Comes in order, without a gap.
   */
  void offer(ByteBuffer bytes, long position) {
    boolean full;
    synchronized (this) {
      long at = end - into.remaining();
      long last = Math.min(end, position + bytes.limit());
      if (over || at < position || at >= last) {
        return;
      }
      into.put(bytes.slice((int) (at - position), (int) (last - at)));
      full = !into.hasRemaining();
      over = full;
    }
    if (full) {
      done.accept(null);
    }
  }

  /** Ends it, unless it is over: from now on nobody touches its buffer. */
  void fail(IOException why) {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
    }
    done.accept(why);
  }
}
