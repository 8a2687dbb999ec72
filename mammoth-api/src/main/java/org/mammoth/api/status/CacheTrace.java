// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.List;

/**
 * The last reads of whole data sets that the caller may read.
 *
 * @param rounds the oldest first
 */
public record CacheTrace(List<Round> rounds) {

  public CacheTrace {
    rounds = StatusJson.orEmpty(rounds);
  }

  /** One read: of which data set, of how many blocks, of how many bytes each. */
  public record Round(String path, int blocks, long blockBytes) {}
}
