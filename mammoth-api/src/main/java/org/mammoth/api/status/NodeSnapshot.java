// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.List;
import java.util.Map;

/**
 * All engines of a node, as its NodeManager knows them.
 *
 * @param version {@link StatusJson#VERSION} of the NodeManager
 * @param atMs when this was put together, ms since 1970
 * @param enabled whether tasks run in engines
 * @param shareMb the engines' part of the node
 * @param admittedMb of it that tasks have
 * @param admittedTasks how many tasks
 * @param fallbacks tasks that went to ordinary containers
 * @param host what the node's host has and uses
 * @param ended the last engines that have ended, oldest first
 * @param engines that have not ended
 */
public record NodeSnapshot(
    int version,
    long atMs,
    boolean enabled,
    long shareMb,
    long admittedMb,
    int admittedTasks,
    Fallbacks fallbacks,
    HostUse host,
    List<Ended> ended,
    List<Engine> engines) {

  public NodeSnapshot {
    ended = StatusJson.orEmpty(ended);
    engines = StatusJson.orEmpty(engines);
  }

  /**
   * One engine.
   *
   * @param engineId its name
   * @param user whose containers it runs
   * @param pid its process
   * @param role TASKS or APP_MASTERS
   * @param open whether it is given containers
   * @param ageMs how old {@code snapshot} is, -1 if there is none
   * @param problem why it is not the newest, empty if it is
   * @param snapshot the last one it gave, or null
   */
  public record Engine(
      String engineId,
      String user,
      long pid,
      String role,
      boolean open,
      @Untold long ageMs,
      String problem,
      EngineSnapshot snapshot) {

    /** A role: it runs tasks. */
    public static final String TASKS = "TASKS";

    /** A role: it runs ApplicationMasters. */
    public static final String APP_MASTERS = "APP_MASTERS";
  }

  /**
   * An engine that has ended.
   *
   * @param engineId its name
   * @param lostContainers that it still had; 0 if it ended in order
   * @param reason why it took no more containers before, or empty
   */
  public record Ended(String engineId, int lostContainers, String reason) {}

  /**
   * Tasks that went to ordinary containers since the NodeManager started.
   *
   * @param total how many
   * @param byReason how many by reason, the latest reasons
   * @param last the latest, oldest first
   */
  public record Fallbacks(long total, Map<String, Long> byReason, List<Fallback> last) {

    public Fallbacks {
      byReason = StatusJson.orEmpty(byReason);
      last = StatusJson.orEmpty(last);
    }
  }

  /**
   * A task that went to an ordinary container.
   *
   * @param atMs when, ms since 1970
   * @param container its id
   * @param task its id
   * @param reason completes "it runs in an ordinary container because"
   */
  public record Fallback(long atMs, String container, String task, String reason) {}
}
