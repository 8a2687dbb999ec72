// SPDX-License-Identifier: Apache-2.0
package org.brotli.dec;

import java.io.FilterInputStream;
import java.io.InputStream;

/** Stands for the class of a library that the release lacks and a job brings; reads as it is. */
public final class BrotliInputStream extends FilterInputStream {
  /** Over some bytes. */
  public BrotliInputStream(InputStream in) {
    super(in);
  }
}
