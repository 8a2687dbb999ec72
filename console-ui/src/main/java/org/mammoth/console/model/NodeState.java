// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * A node as the console knows it.
 *
 * @param id host:port of its NodeManager's web address, or of its DataNode's if it has no
 *     NodeManager
 * @param yarnState RUNNING, LOST, ... as the ResourceManager says; empty for a DataNode alone
 * @param reach how the last try to read it ended
 * @param reason what went wrong, empty if nothing did
 * @param sample the last reading of its engines, or null
 * @param cache the last reading of its SSD cache, or null
 * @param cacheUntold why it is not known whether it has an SSD cache, or what that holds; empty if
 *     it is known
 * @param dfs its DataNode's disks; null if no NameNode tells of them
 */
public record NodeState(
    String id,
    String host,
    String rack,
    String nodeManager,
    String dataNode,
    String yarnState,
    String version,
    Reach reach,
    String reason,
    long triedMs,
    NodeSample sample,
    CacheSample cache,
    String cacheUntold,
    DfsSpace dfs) {

  /** How reading a node ended. */
  public enum Reach {
    /** Not tried yet. */
    NEW,
    /** It answered. */
    OK,
    /** It answers, but runs no Mammoth. */
    STOCK,
    /** It answers in a way this console does not understand: another version. */
    FOREIGN,
    /** No answer within the deadline. */
    SLOW,
    /** No connection, or it broke. */
    GONE,
    /** It refused the console: not authenticated, or not allowed. */
    REFUSED
  }

  public boolean current() {
    return reach == Reach.OK;
  }

  /**
   * How many of its NodeManager's local folders are out of use; less than 1 if none is known to.
   */
  public long badLocalDirs() {
    return sample == null || sample.host() == null ? 0 : sample.host().badLocalDirs();
  }

  /** How many disks of its DataNode have failed; less than 1 if none is known to. */
  public long failedVolumes() {
    return dfs == null ? 0 : dfs.failedVolumes();
  }

  /** Whether it has engines, or may have, of which nothing is known. */
  public boolean enginesUntold() {
    return sample == null && nodeManager != null && reach != Reach.OK && reach != Reach.STOCK;
  }
}
