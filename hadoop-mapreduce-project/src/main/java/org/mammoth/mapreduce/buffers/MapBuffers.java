// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.buffers;

import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.sort.elements.ElementSource;

/**
 * The memory of one map attempt.
 *
 * @param elements slabs for unsorted records
 * @param slabBytes size of each slab
 * @param sort units of the sort buffer
 * @param send units of the send buffer; what they hold may outlive the attempt
 */
public record MapBuffers(ElementSource elements, int slabBytes, UnitSource sort, UnitSource send) {}
