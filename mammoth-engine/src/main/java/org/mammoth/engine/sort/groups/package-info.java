// SPDX-License-Identifier: Apache-2.0
/**
 * Gathers the records of one key in a hash table before anything is sorted, and combines them
 * there. One thread at a time for each object.
 */
package org.mammoth.engine.sort.groups;
