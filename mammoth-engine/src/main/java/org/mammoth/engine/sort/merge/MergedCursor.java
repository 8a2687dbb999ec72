// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.io.IOException;
import java.io.OutputStream;

/** What a merge gives, as one input of another. Whoever opened the merge's inputs closes them. */
public final class MergedCursor extends RecordCursor {

  private final MergeQueue queue;
  private RecordCursor top;

  /** Goes through a queue that nobody has moved. */
  MergedCursor(MergeQueue queue) {
    this.queue = queue;
  }

  @Override
  public boolean next() throws IOException {
    if (!queue.next()) {
      return false;
    }
    top = queue.top();
    bytes = top.bytes;
    start = top.start;
    keyAt = top.keyAt;
    keyLength = top.keyLength;
    end = top.end;
    prefix = top.prefix;
    apart = top.apart;
    return true;
  }

  @Override
  protected void readRest(byte[] into, int at) throws IOException {
    top.readRest(into, at);
    top.apart = 0;
  }

  @Override
  protected int readPart(byte[] into, int at, int count) throws IOException {
    int read = top.readPart(into, at, count);
    apart = top.apart;
    return read;
  }

  @Override
  protected void writeRest(OutputStream out, byte[] copy) throws IOException {
    top.writeRest(out, copy);
    apart = top.apart;
  }
}
