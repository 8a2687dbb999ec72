// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code hdfs mpcache}: finds the active master, asks it, and prints the answer as text
 * or JSON. One thread, a process of its own.
 */
package org.mammoth.hdfs.tool;
