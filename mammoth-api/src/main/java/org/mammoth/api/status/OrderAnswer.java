// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * What a NodeManager answers to an order about its engines.
 *
 * @param engines ids of those that drain now; null with a reason
 * @param key of the configuration that was to be switched; null if none was
 * @param on what it is now; null if none was
 * @param changed whether it was not so before; null if none was
 * @param reason why that cannot be switched while the node runs, and what to do; null or empty if
 *     it can
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OrderAnswer(
    List<String> engines, String key, Boolean on, Boolean changed, String reason) {

  /** Whether nothing was switched. */
  public boolean refused() {
    return reason != null && !reason.isEmpty();
  }
}
