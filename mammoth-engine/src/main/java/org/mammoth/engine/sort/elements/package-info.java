// SPDX-License-Identifier: Apache-2.0
/**
 * The memory that a map collects its records in, and what sorts them there: elements (the collect
 * buffers of the Mammoth paper, Shi et al. 2015, §4.1) with their index, and the blocks that sorted
 * records are copied to. One thread at a time for each object.
 */
package org.mammoth.engine.sort.elements;
