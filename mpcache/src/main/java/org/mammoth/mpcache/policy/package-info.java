// SPDX-License-Identifier: Apache-2.0
/**
 * Which data sets enter the cache and which leave it. {@code ReplaceArbitrator} keeps the books, a
 * {@code ReplacementPolicy} the order; {@code MpCachePolicy} is the paper's scheme, the others are
 * to compare with.
 *
 * <p>No thread, clock, lock or file: the caller serialises, a master by its lock, a simulation by
 * being one thread.
 */
package org.mammoth.mpcache.policy;
