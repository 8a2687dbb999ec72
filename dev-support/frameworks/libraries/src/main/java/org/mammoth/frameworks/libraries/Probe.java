// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.libraries;

/** The least that a user does with a library, with an answer that is the same each time. */
@FunctionalInterface
interface Probe {

  /** Returns what to compare. */
  Object run() throws Exception;
}
