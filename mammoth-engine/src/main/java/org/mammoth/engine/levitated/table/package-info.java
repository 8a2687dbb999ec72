// SPDX-License-Identifier: Apache-2.0
/**
 * Where the segments of a reduce are, for up to millions of them (virtual shuffling paper, Yu et
 * al. 2015, §3.1).
 */
package org.mammoth.engine.levitated.table;
