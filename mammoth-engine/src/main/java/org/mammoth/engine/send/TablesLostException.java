// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.io.IOException;

/** What the send buffer knew of a map output is lost; the output itself is in its file. */
public final class TablesLostException extends IOException {

  private static final long serialVersionUID = 1L;

  TablesLostException(IOException cause) {
    super("where the segments of a map output lie can't be read back", cause);
  }
}
