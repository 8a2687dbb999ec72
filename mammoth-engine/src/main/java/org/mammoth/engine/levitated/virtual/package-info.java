// SPDX-License-Identifier: Apache-2.0
/**
 * Merges very many segments that stay at their sources (virtual shuffling paper, Yu et al. 2015,
 * §3): only some subtrees of the merge fetch at a time, the others hold what they have merged
 * ahead.
 */
package org.mammoth.engine.levitated.virtual;
