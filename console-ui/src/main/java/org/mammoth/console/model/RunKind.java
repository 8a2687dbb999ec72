// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/** How a job ran, as far as there is evidence. */
public enum RunKind {
  /** Tasks of it ran in engines. */
  ENGINE,
  /** None of its tasks ran in an engine. */
  STOCK,
  /** There is no evidence for either. */
  UNKNOWN;

  /** As the interface has it. */
  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
