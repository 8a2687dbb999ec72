// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A file in memory that checks the order of its calls and fails at the call it is told to. */
class FakeTarget implements Target {

  /** What happens in the middle of a call. */
  interface Event {
    void happen(int call) throws IOException;
  }

  final Path path;
  final List<String> log;
  final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  Event event = call -> {};
  int calls;
  String state = "new";
  int aborts;
  boolean writesThrough;

  FakeTarget(Path path, List<String> log) {
    this.path = path;
    this.log = log;
  }

  @Override
  public Path path() {
    return path;
  }

  private void step(String from, String to) throws IOException {
    if (!List.of(from.split("\\|")).contains(state)) {
      throw new AssertionError(path + ": " + to + " after " + state);
    }
    state = "in " + to;
    int call = calls++;
    event.happen(call);
    state = to;
  }

  @Override
  public void writeThrough() {
    writesThrough = true;
  }

  @Override
  public void open() throws IOException {
    step("new", "open");
  }

  @Override
  public void write(ByteBuffer piece) throws IOException {
    step("open|written", "written");
    byte[] copy = new byte[piece.remaining()];
    piece.get(copy);
    bytes.writeBytes(copy);
    log.add(path.getFileName().toString());
  }

  @Override
  public void force() throws IOException {
    step("open|written", "forced");
  }

  @Override
  public void close() throws IOException {
    step("open|written|forced", "closed");
  }

  @Override
  public void abort() {
    aborts++;
    state = "aborted";
  }
}
