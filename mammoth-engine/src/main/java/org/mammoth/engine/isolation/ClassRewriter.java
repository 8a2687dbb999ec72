// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.InputStream;
import java.util.function.Function;

/** Has what a class calls of the process go to what a task has of its own. Thread-safe. */
public interface ClassRewriter {
  /**
   * The class as it is to be defined.
   *
   * @return the same array if nothing changes
   * @throws IllegalArgumentException if it cannot be read, though this JVM would load it
   */
  byte[] rewrite(byte[] original);

  /**
   * The same for classes that see those of a loader, too.
   *
   * @param files finds the files of classes, such as {@code java/io/File.class}; null for none
   */
  ClassRewriter seeing(Function<String, InputStream> files);
}
