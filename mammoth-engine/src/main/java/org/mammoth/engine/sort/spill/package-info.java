// SPDX-License-Identifier: Apache-2.0
/**
 * The spills that upstream makes of a map's output, sorted as upstream sorts them, so that equal
 * keys come in its order. One thread at a time for each object.
 */
package org.mammoth.engine.sort.spill;
