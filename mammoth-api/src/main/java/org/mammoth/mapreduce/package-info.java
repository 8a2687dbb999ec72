// SPDX-License-Identifier: Apache-2.0
/**
 * Names of the counters that Mammoth adds to a job. Enumerations only, known to tasks, clients and
 * the console; their texts are in the properties files beside them.
 */
package org.mammoth.mapreduce;
