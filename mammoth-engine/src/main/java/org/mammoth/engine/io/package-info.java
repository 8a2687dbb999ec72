// SPDX-License-Identifier: Apache-2.0
/**
 * All reading and writing of a node's local disks: files take turns on their disk, by what their
 * bytes are for. {@code IoScheduler} is the way in; {@code WriteStream}, {@code ReadStream} and
 * {@code RangeReads} are what others hold.
 *
 * <p>Each disk has a {@code DiskQueue} with one lock, which guards its files, queues and turns and
 * is held neither during I/O nor in a callback. Turns run on threads of the disk's own. Callbacks
 * come on these threads and must not wait. Streams belong to one thread, but may be closed by any.
 * Room on SSD is asked for under the monitor of the one file that wants it.
 */
package org.mammoth.engine.io;
