// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.util.List;

/** Makes the sites of one kind of engine, and finds those that an earlier NodeManager left. */
public interface EngineSites {

  /** An engine that an earlier NodeManager left running. */
  record Left(String engineId, String user, EngineSizing sizing, EngineSite site) {}

  /** A site for a new engine; nothing is made before {@link EngineSite#start}. */
  EngineSite create(String engineId, String user, EngineSizing sizing);

  /**
   * The engines that still run; the homes of those that do not are removed. May block.
   *
   * @param whole the size of an engine that does not tell its own
   */
  List<Left> left(EngineSizing whole);
}
