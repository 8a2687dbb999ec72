// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.List;

/**
 * The last decisions of all engines of a node.
 *
 * @param version {@link StatusJson#VERSION} of the NodeManager
 * @param atMs when this was put together, ms since 1970
 * @param engines that run tasks
 */
public record NodeDecisions(int version, long atMs, List<Engine> engines) {

  public NodeDecisions {
    engines = StatusJson.orEmpty(engines);
  }

  /**
   * One engine.
   *
   * @param engineId its name; numbers of decisions begin at 0 with each engine
   * @param user whose tasks it runs
   * @param ageMs how old this is, -1 if nothing is known
   * @param problem why it is not the newest, empty if it is
   * @param next number the next decision will have
   * @param decisions the last ones, in the order of their numbers
   */
  public record Engine(
      String engineId,
      String user,
      long ageMs,
      String problem,
      long next,
      List<EngineDecisions.Decision> decisions) {

    public Engine {
      decisions = StatusJson.orEmpty(decisions);
    }
  }
}
