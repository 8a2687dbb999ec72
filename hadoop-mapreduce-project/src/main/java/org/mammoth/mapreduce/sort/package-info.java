// SPDX-License-Identifier: Apache-2.0
/**
 * The map side of a task in an engine: upstream's collector over the engine's sorter, the job's
 * combiner on its groups, and files in the form of upstream's. Outside an engine {@code
 * MammothCollector} declines and upstream's collector takes its place.
 *
 * <p>A map's own thread does all of it; {@code collect} is synchronized for maps with several
 * threads, as upstream's is. Blocks for memory and disks.
 */
package org.mammoth.mapreduce.sort;
