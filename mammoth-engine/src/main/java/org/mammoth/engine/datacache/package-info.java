// SPDX-License-Identifier: Apache-2.0
/**
 * The data cache of Flame-MR-It (Veiga et al. 2018, §3.3.2): what a job's tasks write stays in
 * memory, and a later job of the same user reads it there. {@code DataCache} has the index and
 * decides what is kept; {@code KeptWriter} fills a file, {@code KeptFile} is read; {@code Habits}
 * learns whose output is read again. Nothing here knows HDFS: a file is what its last block and its
 * length say it is.
 *
 * <p>No threads. {@code DataCache}'s monitor guards all but the bytes; it is taken under the cache
 * scheduler's lock, so under it nothing of the scheduler is called. Writers are for one thread at a
 * time, all else for any.
 */
package org.mammoth.engine.datacache;
