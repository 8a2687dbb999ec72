// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of a task's life that need package-private members of MapReduce: the umbilical of a
 * task in an engine, and the main class and RPC engine of one that fell back to an ordinary
 * container.
 *
 * <p>{@code TaskUmbilical} stands between all threads of one task and its ApplicationMaster. The
 * others run in a container's process, as upstream has them.
 */
package org.apache.hadoop.mapred;
