// SPDX-License-Identifier: Apache-2.0
/**
 * Repeated work that goes on after it failed, for the timers of the NameNode's and the DataNode's
 * part of the cache.
 */
package org.mammoth.hdfs.timing;
