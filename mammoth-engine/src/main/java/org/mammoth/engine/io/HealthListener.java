// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.nio.file.Path;

/**
 * Told when a local directory is left out or used again. Called by a disk's thread; must not wait.
 */
@FunctionalInterface
public interface HealthListener {

  /**
   * The state of a directory has changed.
   *
   * @param reason the error, or how it came back
   */
  void changed(Path dir, DiskHealth.State state, String reason);
}
