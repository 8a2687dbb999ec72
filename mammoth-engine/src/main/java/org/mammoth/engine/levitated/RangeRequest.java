// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * One range: fills {@code into} from its position to its limit with bytes of a segment, and leaves
 * the position at the limit.
 *
 * @param segment an index of the reduce's own, from 0
 * @param offset of the first byte in the segment, as it is stored
 * @param into belongs to the reader until {@code done} is told
 * @param done told once, on any thread, which it must not hold up: null, or why not
 */
public record RangeRequest(int segment, long offset, ByteBuffer into, Consumer<Throwable> done) {}
