// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

/**
 * Where a pool's memory lies; the three kinds compared in the Flame-MR paper (Veiga et al. 2018,
 * §3.2). Direct buffers save a copy on each read and write of a file or a socket.
 */
public enum BufferType {
  /** Outside the Java heap. */
  DIRECT,
  /** Buffers on the Java heap. */
  HEAP,
  /** Bare arrays on the Java heap. */
  ARRAY
}
