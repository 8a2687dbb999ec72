// SPDX-License-Identifier: Apache-2.0
/**
 * Final outputs of a node's maps, from the moment their files are complete until their job is over:
 * in cache units while memory lasts, on disk in any case. Maps publish here; reduces of the node
 * take segments over, and the shuffle's server reads them for other nodes.
 *
 * <p>{@code SendBuffer} and {@code MapOutput} are for any thread, readers and writers of one file
 * for one thread each. Memory may be revoked at any byte; readers go on in the file. {@code Pages}
 * holds its monitor while it reads or writes its own file.
 */
package org.mammoth.engine.send;
