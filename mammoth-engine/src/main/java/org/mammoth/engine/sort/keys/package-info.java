// SPDX-License-Identifier: Apache-2.0
/**
 * Serialised keys: the orders that jobs sort by, with a prefix that settles most comparisons, and
 * the hash that keys are gathered by. All of it may be used by any thread.
 */
package org.mammoth.engine.sort.keys;
