// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.buffers;

import java.util.function.LongConsumer;
import org.mammoth.engine.memory.UnitSource;

/**
 * The memory of one reduce attempt.
 *
 * @param receive units of the receive buffer
 * @param desire told how many bytes the reduce would hold if it could; a hint
 */
public record ReduceBuffers(UnitSource receive, LongConsumer desire) {}
