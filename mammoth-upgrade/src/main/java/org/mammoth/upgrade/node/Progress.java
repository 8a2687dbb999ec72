// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

/** Told what a run does, as it does it. */
public interface Progress {

  /** A line for people. */
  void say(String line);
}
