// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

/** Which way bytes go. */
public enum IoDirection {
  /** From memory to disk. */
  WRITE,
  /** From disk to memory. */
  READ
}
