// SPDX-License-Identifier: Apache-2.0
/**
 * Sorted records as they are read, merged and written: cursors, segments in the form of map output
 * files, and merges, as fast as keys allow or in the passes of upstream, so that equal keys come in
 * its order. One thread at a time for each object.
 */
package org.mammoth.engine.sort.merge;
