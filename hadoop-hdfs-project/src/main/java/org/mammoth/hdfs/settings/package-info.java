// SPDX-License-Identifier: Apache-2.0
/**
 * The cache's part in {@code hdfs dfsadmin -reconfig}: all of its changes are taken up or none.
 * Called by the daemon's reconfiguration thread, one at a time.
 */
package org.mammoth.hdfs.settings;
