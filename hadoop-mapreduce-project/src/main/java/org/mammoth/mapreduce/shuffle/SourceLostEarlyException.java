// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.Set;

/** Map outputs that stayed at other nodes were lost before the first record was reduced. */
final class SourceLostEarlyException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Set<String> maps;

  SourceLostEarlyException(Set<String> maps, Exception cause) {
    super(
        "the output of "
            + String.join(", ", maps)
            + " is lost, and no record was reduced yet: "
            + cause.getMessage(),
        cause);
    this.maps = maps;
  }

  /** The map attempts. */
  Set<String> maps() {
    return maps;
  }
}
