// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.Locale;

/** How bad an alert is, the worst first. */
public enum Severity {
  CRITICAL,
  WARNING,
  INFO;

  /** As labels have it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
