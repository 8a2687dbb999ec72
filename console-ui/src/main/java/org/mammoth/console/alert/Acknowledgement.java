// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

/**
 * Somebody takes care of an alert. It ends when the alert is resolved.
 *
 * @param user who said so
 * @param comment empty if nothing was said
 */
public record Acknowledgement(String user, long atMs, String comment) {

  Acknowledgement notAfter(long nowMs) {
    return new Acknowledgement(user, Math.min(atMs, nowMs), comment);
  }
}
