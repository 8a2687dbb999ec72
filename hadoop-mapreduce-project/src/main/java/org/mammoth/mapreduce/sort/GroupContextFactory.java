// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import org.apache.hadoop.mapred.Counters.Counter;
import org.apache.hadoop.mapred.JobConf;

/**
 * What all combiner contexts of one map share.
 *
 * @param keyOnce the combiner leaves the key as it is, so that it is read once for a group
 */
record GroupContextFactory<K, V>(
    JobConf job, Class<K> keyClass, Class<V> valueClass, boolean keyOnce, Counter combineInput) {}
