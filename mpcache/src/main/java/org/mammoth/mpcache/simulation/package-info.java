// SPDX-License-Identifier: Apache-2.0
/**
 * Drives the real arbitrator and the real space tuners with a trace of jobs, on a model of what
 * jobs cost. Behind {@code hdfs mpcache -simulate}, the console's what-if, and the figures in
 * docs/mpcache. One thread for each run; runs share nothing.
 */
package org.mammoth.mpcache.simulation;
