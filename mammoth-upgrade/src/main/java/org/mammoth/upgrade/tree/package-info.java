// SPDX-License-Identifier: Apache-2.0
/**
 * What is read of a Hadoop installation: its version, its site files, its processes. Nothing here
 * writes, and no class of Hadoop's is used. Immutable values and stateless readers; any thread.
 */
package org.mammoth.upgrade.tree;
