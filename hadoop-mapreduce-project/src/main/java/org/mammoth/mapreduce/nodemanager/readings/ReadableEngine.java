// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

import java.io.IOException;

/** An engine as somebody sees it who only reads. */
public interface ReadableEngine {

  String engineId();

  String user();

  long pid();

  /** Whether it may be given containers. */
  boolean isOpen();

  /**
   * Asks the engine for its {@link org.mammoth.api.status.EngineSnapshot}; blocks.
   *
   * @throws IOException if it is starting or does not answer
   */
  String snapshotJson() throws IOException;

  /**
   * Asks the engine for a part of its {@link org.mammoth.api.status.EngineDecisions}; blocks.
   *
   * @param from number of the first, or less than 0 for the latest
   * @throws IOException if it is starting or does not answer
   */
  String decisionsJson(long from, int atMost) throws IOException;
}
