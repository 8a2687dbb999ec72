// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

/**
 * How the reduces' part of the cache pool is divided among running reduces. Jobs share it by weight
 * first, then the reduces of a job share the job's part.
 */
public enum ReduceSplit {
  /**
   * The same for each reduce of a job, whatever it wants (Mammoth paper, Shi et al. 2015, §4.3).
   */
  EVEN,
  /**
   * What each says it wants, and an even part of the rest for those that want more; the authors'
   * released code divides in proportion.
   */
  NEED
}
