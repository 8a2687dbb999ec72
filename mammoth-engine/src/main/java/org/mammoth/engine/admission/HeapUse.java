// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.admission;

/**
 * What can be observed of one task's use of the shared heap.
 *
 * @param task its name
 * @param promisedBytes the largest heap that its process would have had
 * @param allocatedBytes all that its threads have allocated since it began, garbage included
 * @param samples how many objects that live now and were sampled when they were allocated were
 *     allocated by its threads
 * @param foundBytes how much of what is alive may have been alive when the task began
 */
public record HeapUse(
    String task, long promisedBytes, long allocatedBytes, long samples, long foundBytes) {}
