// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.io.Text;
import org.apache.log4j.LogManager;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten user code calls instead of a library method that acts on the whole process, the
 * end of logging, and of one that is slow. Stateless, thread-safe.
 */
public final class HadoopCalls {
  private HadoopCalls() {}

  /**
   * The text as a string, decoded by the JDK: the same as by Hadoop's decoder, which takes two to
   * three times as long a byte.
   */
  @Replaces(value = Text.class, receiver = true)
  public static String toString(Text text) {
    return text.getClass() == Text.class
        ? new String(text.getBytes(), 0, text.getLength(), StandardCharsets.UTF_8)
        : text.toString();
  }

  /** {@code LogManager.shutdown} of a task ends nobody's logging but flushes its own. */
  @Replaces(LogManager.class)
  public static void shutdown() {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      LogManager.shutdown();
    }
  }
}
