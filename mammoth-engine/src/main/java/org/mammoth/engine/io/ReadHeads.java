// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many readers go through the files of a disk at the moment, each by one range after the other:
 * what may be read ahead is divided among them. Not safe for concurrent use.
 */
final class ReadHeads {

  private static final int MOST = 65_536;

  private record Head(Path path, long next) {}

  private final long forgetNanos;

  /** When each was last seen, longest ago first. */
  private final Map<Head, Long> heads = new LinkedHashMap<>();

  /** {@code forgetNanos} after its last range a reader counts no more. */
  ReadHeads(long forgetNanos) {
    this.forgetNanos = forgetNanos;
  }

  /** A range is read; it goes on where another one ended, or begins. */
  void read(Path path, long from, long end, long now) {
    heads.remove(new Head(path, from));
    heads.put(new Head(path, end), now);
    Iterator<Long> seen = heads.values().iterator();
    while (seen.hasNext() && (now - seen.next() > forgetNanos || heads.size() > MOST)) {
      seen.remove();
    }
  }

  /** Readers at the moment, at least 1. */
  int count() {
    return Math.max(1, heads.size());
  }
}
