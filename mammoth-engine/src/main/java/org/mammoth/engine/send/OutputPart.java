// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

/**
 * Where one partition of a map output lies in its file.
 *
 * @param start its first byte
 * @param rawLength bytes before any codec
 * @param partLength bytes in the file, checksum included
 */
public record OutputPart(long start, long rawLength, long partLength) {

  /** The byte behind its last one. */
  public long end() {
    return start + partLength;
  }
}
