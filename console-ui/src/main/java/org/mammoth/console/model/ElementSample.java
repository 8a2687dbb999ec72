// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

import java.util.List;

/**
 * An engine's memory for unsorted records, lent in slabs.
 *
 * @param slab bytes of one
 * @param slabs how many there are
 * @param lent how many maps hold
 */
public record ElementSample(long slab, long slabs, long lent, List<Share> shares) {

  /** An engine without any. */
  public static final ElementSample NONE = new ElementSample(0, 0, 0, List.of());

  /** What one map holds. */
  public record Share(String attempt, String job, long slabs) {}
}
