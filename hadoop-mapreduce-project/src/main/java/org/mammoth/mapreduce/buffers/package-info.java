// SPDX-License-Identifier: Apache-2.0
/**
 * What one task attempt may use of its engine: memory of a map or a reduce, files on the node's
 * disks through the I/O scheduler, blocks of the node's DataNode in turns. A task finds its own by
 * {@code TaskBuffers.ofCurrentTask}, on any of its threads.
 *
 * <p>All of it ends with the attempt, on the warden's thread, whatever the task's threads are at
 * then; only what the send buffer holds stays.
 */
package org.mammoth.mapreduce.buffers;
