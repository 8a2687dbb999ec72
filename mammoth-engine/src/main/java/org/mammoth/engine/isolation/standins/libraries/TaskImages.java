// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.io.File;
import javax.imageio.ImageIO;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * What a task has told {@link ImageIO} of its temporary files. The JDK keeps it for a JVM, and a
 * folder of one task's would be gone for the next one's images; where the files are, no image
 * shows. Thread-safe.
 */
final class TaskImages {
  private volatile boolean usesCache = true;
  private volatile File cacheDirectory;

  private TaskImages() {}

  /** Those of the calling task, or null when it is the engine's own call. */
  static TaskImages ofCaller() {
    TaskProcess process = Owners.callerOrNull();
    return process == null ? null : process.part(TaskImages.class, TaskImages::new);
  }

  void useCache(boolean useCache) {
    usesCache = useCache;
  }

  boolean usesCache() {
    return usesCache;
  }

  /**
   * Notes a folder.
   *
   * @throws IllegalArgumentException if it is none, as the JDK says
   */
  void cacheIn(File dir) {
    if (dir != null && !dir.isDirectory()) {
      throw new IllegalArgumentException("Not a directory!");
    }
    cacheDirectory = dir;
  }

  File cacheDirectory() {
    return cacheDirectory;
  }
}
