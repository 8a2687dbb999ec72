// SPDX-License-Identifier: Apache-2.0
/**
 * The plug-in by which a DataNode gets its data set, with the SSD cache before it if that is
 * switched on. Called once, on the DataNode's own thread.
 */
package org.mammoth.hdfs.dataset;
