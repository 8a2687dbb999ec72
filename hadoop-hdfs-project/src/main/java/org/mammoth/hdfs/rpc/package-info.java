// SPDX-License-Identifier: Apache-2.0
/**
 * How slaves and administrators talk to the master: two RPC interfaces, what crosses them as bytes,
 * and how masters are found. Values and connections; no state of the cache. Any thread.
 */
package org.mammoth.hdfs.rpc;
