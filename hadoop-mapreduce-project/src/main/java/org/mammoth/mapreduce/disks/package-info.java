// SPDX-License-Identifier: Apache-2.0
/**
 * What the configuration says of a node's disks, and which of them spin. Read by NodeManager and
 * engine alike, so that both mean the same directories. Values and functions; timing a disk writes
 * and reads a file, which the NodeManager does beside its start.
 */
package org.mammoth.mapreduce.disks;
