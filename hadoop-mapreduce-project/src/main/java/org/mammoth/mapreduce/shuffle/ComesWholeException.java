// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;

/** The source of a segment cannot compare a part of it with a checksum: it has to come whole. */
final class ComesWholeException extends IOException {

  private static final long serialVersionUID = 1L;

  ComesWholeException(String attempt) {
    super("the output of " + attempt + " is damaged or encrypted, it has to come whole");
  }
}
