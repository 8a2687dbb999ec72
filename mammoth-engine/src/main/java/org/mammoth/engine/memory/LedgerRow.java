// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/**
 * What one lease held when the ledger was read.
 *
 * @param owner whom it is charged to
 * @param kind what it is used for
 * @param bytes how much, at least 0
 */
public record LedgerRow(LeaseOwner owner, BufferKind kind, long bytes) {}
