// SPDX-License-Identifier: Apache-2.0
/**
 * What needs a package-private member of Hadoop's RPC: the engine that a JVM has for a protocol.
 */
package org.apache.hadoop.ipc;
