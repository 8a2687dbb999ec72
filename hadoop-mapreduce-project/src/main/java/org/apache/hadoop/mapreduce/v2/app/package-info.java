// SPDX-License-Identifier: Apache-2.0
/**
 * Upstream's ApplicationMaster as a standing host runs it; here because its clean-up is
 * package-private. Made, run and ended by the threads of one hosted container.
 */
package org.apache.hadoop.mapreduce.v2.app;
