// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.util.List;

/**
 * One step of a run. It looks at the node itself, so that it may be taken again at any time.
 *
 * @param name short, as journal and messages have it
 * @param changes what it is about to change as the node is now, a line each; none if it is done
 * @param action makes the changes
 */
record Step(String name, Changes changes, Action action) {

  /** Looks, and changes nothing. */
  interface Changes {
    List<String> list() throws IOException;
  }

  /** Changes the node. */
  interface Action {
    void take() throws IOException, InterruptedException;
  }
}
