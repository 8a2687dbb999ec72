package org.mammoth.engine.memory;

import java.util.Arrays;

/**
 * How the reduces' part of the cache pool is divided among running reduces. Jobs share it by weight
 * first, then the reduces of a job share the job's part.
 */
public enum ReduceSplit {
  /**
   * The same for each reduce of a job, whatever it wants (Mammoth paper, Shi et al. 2015, §4.3).
   */
  EVEN {
    @Override
    long[] wishes(long[] desired) {
      long[] endless = new long[desired.length];
      Arrays.fill(endless, ENDLESS);
      return endless;
    }
  },
  /**
   * What each says it wants, and an even part of the rest for those that want more; the authors'
   * released code divides in proportion.
   */
  NEED {
    @Override
    long[] wishes(long[] desired) {
      return desired;
    }
  };

  /** A wish nothing fulfils; few enough of them add up without overflow. */
  static final long ENDLESS = 1L << 40;

  /** What counts as the wish of each reduce, in units. */
  abstract long[] wishes(long[] desired);
}
