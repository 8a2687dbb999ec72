// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.io.IOException;
import java.io.InputStream;

/** Where the bytes of a block come from: the original replica. */
public interface FillSource {

  /**
   * Opens the replica at its beginning, verifying its own checksums while it is read.
   *
   * @throws IOException if there is no such finalized replica
   */
  InputStream open() throws IOException;

  /** Whether the replica is still finalized with the key's generation stamp and length. */
  boolean stillValid();
}
