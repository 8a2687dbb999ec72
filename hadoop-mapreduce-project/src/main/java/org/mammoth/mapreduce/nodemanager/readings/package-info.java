// SPDX-License-Identifier: Apache-2.0
/**
 * What a node tells of itself and its engines: snapshots, decisions, figures of the host, kinds of
 * its disks.
 */
package org.mammoth.mapreduce.nodemanager.readings;
