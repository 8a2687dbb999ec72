// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

/**
 * A complete block of HDFS, whose bytes never change.
 *
 * @param pool the block pool
 * @param block its id
 * @param stamp its generation stamp
 * @param length its bytes
 */
public record BlockIdentity(String pool, long block, long stamp, long length) {}
