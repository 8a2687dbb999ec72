// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC32C over a segment's key, a chunk's offset and its data: right bytes under a wrong attempt,
 * partition or offset do not pass. Not safe for concurrent use.
 */
public final class ChunkChecksum {

  private final CRC32C crc = new CRC32C();
  private final ByteBuffer head;
  private final int keyLength;

  /** For chunks of one segment, whose key has the bytes {@code key}. */
  public ChunkChecksum(byte[] key) {
    this.keyLength = key.length;
    this.head = ByteBuffer.allocate(key.length + Long.BYTES).put(key);
  }

  /** The checksum of a chunk; takes all remaining bytes of {@code data}. */
  public int of(long offset, ByteBuffer data) {
    head.putLong(keyLength, offset);
    crc.reset();
    crc.update(head.array(), 0, head.capacity());
    crc.update(data);
    return (int) crc.getValue();
  }
}
