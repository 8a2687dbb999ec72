// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * Map output that a job's reduces in engines took in, by where it came from, in bytes as they were
 * shuffled. Reduces in ordinary containers do not count it, so that the sum may be below the job's
 * REDUCE_SHUFFLE_BYTES; where intermediate data is encrypted it is 16 bytes a segment above.
 *
 * @param memoryBytes of the reduce's own node, out of its engine's memory
 * @param diskBytes of the reduce's own node, off its disks
 * @param networkBytes of other nodes, whoever brought it
 */
public record ReduceInput(long memoryBytes, long diskBytes, long networkBytes) {}
