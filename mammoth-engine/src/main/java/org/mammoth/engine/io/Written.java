// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.util.Optional;

/**
 * What a completed file holds.
 *
 * @param bytes its length as it was handed in; an encrypting target may store more
 * @param sums of those bytes, or empty if {@code mammoth.io.checksum} is off
 */
public record Written(long bytes, Optional<BlockSums> sums) {}
