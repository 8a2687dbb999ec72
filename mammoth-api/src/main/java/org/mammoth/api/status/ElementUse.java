// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.List;

/**
 * The memory for unsorted records. All of it is leased from the beginning as one lease of kind
 * ELEMENT; this says who uses it.
 *
 * @param slabBytes size of an element
 * @param slabs how many there are
 * @param lentSlabs that maps hold
 * @param maps that have a share
 */
public record ElementUse(long slabBytes, int slabs, int lentSlabs, List<Share> maps) {

  public ElementUse {
    maps = StatusJson.orEmpty(maps);
  }

  /**
   * A map's part.
   *
   * @param attempt its id
   * @param job its job
   * @param slabs that it holds
   */
  public record Share(String attempt, String job, int slabs) {}
}
