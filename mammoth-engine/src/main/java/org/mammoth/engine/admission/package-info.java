// SPDX-License-Identifier: Apache-2.0
/**
 * Whether an engine takes one more task: by what containers asked for ({@code AdmissionLedger}), by
 * what the shared heap can hold ({@code HeapAdmission}), and by how many engines died with the task
 * in them ({@code DeathRegister}). {@code HeapShares} says who holds how much of a heap.
 *
 * <p>The ledger and the register are called by any thread of the NodeManager, each under a monitor
 * below which nothing is locked. What is about the heap are values and functions, used by the
 * engine's heap keeper.
 */
package org.mammoth.engine.admission;
