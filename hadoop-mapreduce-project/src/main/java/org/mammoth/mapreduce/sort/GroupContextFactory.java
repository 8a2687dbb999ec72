// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import org.apache.hadoop.mapred.Counters.Counter;
import org.apache.hadoop.mapred.JobConf;

/** What all combiner contexts of one map share. */
record GroupContextFactory<K, V>(
    JobConf job, Class<K> keyClass, Class<V> valueClass, Counter combineInput) {}
