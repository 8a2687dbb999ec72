// SPDX-License-Identifier: Apache-2.0
/**
 * Moves map output between nodes: what both sides of the wire share. {@code wire} holds the frames,
 * {@code server} what serves and pushes map output, {@code client} what fetches and receives it.
 * The protocol itself is written down in docs/shuffle-protocol.md.
 */
package org.mammoth.engine.shuffle;
