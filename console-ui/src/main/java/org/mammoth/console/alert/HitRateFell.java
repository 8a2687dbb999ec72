// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.Map;
import java.util.function.Consumer;

/** Judges the SSD caches' share of block reads against that of the day before. */
final class HitRateFell implements AlertRule.Judge {

  private final HitRates rates = new HitRates();
  private final double drop;

  /**
   * @param drop by how much of itself the share has to be lower, 0..1
   */
  HitRateFell(double drop) {
    this.drop = drop;
  }

  @Override
  public void look(Facts facts, Consumer<Finding> found) {
    rates.see(facts.moment().view());
    HitRates.Shares shares = rates.shares(facts.nowMs());
    if (shares != null && shares.recent() < (1 - drop) * shares.usual()) {
      found.accept(
          new Finding(
              Map.of(),
              "The SSD cache serves far fewer reads than it used to",
              String.format(
                  java.util.Locale.ROOT,
                  "%.0f %% of block reads within 15 minutes, %.0f %% in the day before.",
                  100 * shares.recent(),
                  100 * shares.usual()),
              0));
    }
  }

  @Override
  public boolean unknown(Facts facts, Alert alert) {
    return rates.shares(facts.nowMs()) == null;
  }
}
