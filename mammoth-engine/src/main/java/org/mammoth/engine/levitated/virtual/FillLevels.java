// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

/**
 * When a subtree fetches (virtual shuffling paper, Yu et al. 2015, §3.3).
 *
 * @param activateBelow part of its buffer below which a subtree is activated
 * @param stopAbove part of its buffer above which it fetches no more and only drains
 */
public record FillLevels(double activateBelow, double stopAbove) {

  /**
   * The paper's upper one. A lower one of 30 % would keep memory that larger turns make more of:
   * the reduce takes from all buffers alike, so that the last part of one lasts long.
   */
  public static final FillLevels DEFAULT = new FillLevels(0.15, 0.70);

  /** Refuses levels between which nothing is merged. */
  public FillLevels {
    if (!(activateBelow >= 0 && stopAbove > activateBelow && stopAbove <= 1)) {
      throw new IllegalArgumentException(
          "a subtree cannot be activated below " + activateBelow + " and stop above " + stopAbove);
    }
  }
}
