// SPDX-License-Identifier: Apache-2.0
/**
 * The engine's memory for intermediate data: what there is ({@code MemorySizing}, {@code
 * CachePool}, {@code ElementPool}), who it is charged to ({@code Ledger}, {@code Lease}), and who
 * may have it ({@code CacheScheduler}). A {@code CacheFile} is how it is filled and read.
 *
 * <p>Locks are taken in the order cache file, scheduler, pool and decisions; the ledger has none.
 * The scheduler's lock is taken once for each unit, never for each record, and not while a {@code
 * Revocable}, a file or a listener is called. Classes without {@code public} are guarded by it. Any
 * thread may ask for memory, but not one that is inside a {@code Revocable}, which must free
 * without waiting for the pool.
 */
package org.mammoth.engine.memory;
