// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

/** Knows the shuffle secret of each job. Called by any thread, must not block. */
@FunctionalInterface
public interface SecretProvider {

  /** The secret both sides of the job's shuffle hold, or null if the job is not known here. */
  byte[] secret(String job);
}
