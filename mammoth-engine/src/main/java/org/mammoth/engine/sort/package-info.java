// SPDX-License-Identifier: Apache-2.0
/**
 * Sorts and merges serialised records without making objects of them: elements and their index,
 * hash tables that gather equal keys first, orders of keys with prefixes, and the merge. {@code
 * MapSorter} is the map's way in, {@code MergeQueue} everybody's merge.
 *
 * <p>There are no locks: all of it is used by one thread at a time, as a rule a task's own. What
 * lends slabs and keeps runs comes from outside ({@code ElementSource}, {@code RunStore}) and may
 * block.
 */
package org.mammoth.engine.sort;
