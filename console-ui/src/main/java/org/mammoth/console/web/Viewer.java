// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

/**
 * Who asks, and what they may.
 *
 * @param user short name
 * @param admin whether actions are allowed
 * @param all whether the jobs of all users are seen
 * @param unproven whether actions would be allowed in a session that a token opened
 */
record Viewer(String user, boolean admin, boolean all, boolean unproven) {

  /** Whether what belongs to this user's job may be shown. */
  boolean sees(String owner) {
    return all || user.equals(owner);
  }
}
