// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A file in memory that is read a few bytes at a time. */
final class FakeSource implements Source {

  final Path path;
  final byte[] bytes;
  final List<String> log;
  FakeTarget.Event event = call -> {};
  int chunk = Integer.MAX_VALUE;
  int calls;
  int closes;

  FakeSource(Path path, byte[] bytes, List<String> log) {
    this.path = path;
    this.bytes = bytes;
    this.log = log;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public int read(long position, ByteBuffer into) throws IOException {
    if (closes > 0) {
      throw new AssertionError(path + " is read after its close");
    }
    event.happen(calls++);
    log.add(path.getFileName().toString());
    if (position >= bytes.length) {
      return -1;
    }
    int now = Math.min(chunk, (int) Math.min(into.remaining(), bytes.length - position));
    into.put(bytes, (int) position, now);
    return now;
  }

  @Override
  public void close() {
    closes++;
  }
}
