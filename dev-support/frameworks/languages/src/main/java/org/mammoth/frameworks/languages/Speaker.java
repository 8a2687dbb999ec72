// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.languages;

/** Runs a program of one language, as a user's map would. */
@FunctionalInterface
interface Speaker {

  /** Returns what the program answers. */
  Object speak(String program) throws Exception;
}
