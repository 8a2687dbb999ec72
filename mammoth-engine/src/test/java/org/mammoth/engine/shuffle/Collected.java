// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.mammoth.engine.shuffle.client.FetchSink;

/** Keeps what a fetch brought. */
public final class Collected implements FetchSink {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private volatile SegmentInfo info;

  @Override
  public void opened(SegmentInfo segment) {
    info = segment;
  }

  @Override
  public synchronized void chunk(long offset, ByteBuffer data) {
    byte[] copy = new byte[data.remaining()];
    data.get(copy);
    bytes.writeBytes(copy);
  }

  public synchronized byte[] bytes() {
    return bytes.toByteArray();
  }

  public synchronized int size() {
    return bytes.size();
  }

  public SegmentInfo info() {
    return info;
  }
}
