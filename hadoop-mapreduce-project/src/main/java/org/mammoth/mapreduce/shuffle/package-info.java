// SPDX-License-Identifier: Apache-2.0
/**
 * The reduce side of a task in an engine: gets hold of its segments, from the own node's memory,
 * pushed, fetched, or left at their sources until they are merged, and merges them once. {@code
 * MammothShuffle} is upstream's plug-in; {@code RemoteOutputs} knows the state of each output of
 * another node, {@code ReceiveBuffer} makes the merge.
 *
 * <p>A reduce's own thread decides everything: sockets' threads and timers leave work in its {@code
 * Inbox}. While it merges what stays elsewhere, {@code EventFollower} and {@code Rescue} have a
 * thread each in the task's group. What sockets' threads touch ({@code Arrival}, {@code
 * Levitation}, {@code Window}) has monitors, taken before those of cache files and never while an
 * answer is waited for.
 */
package org.mammoth.mapreduce.shuffle;
