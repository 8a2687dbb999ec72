// SPDX-License-Identifier: Apache-2.0
/**
 * Upstream's own way of fetching map output, where engines do not fetch: its fetchers ({@code
 * StockFetchers}). In this package because {@code Fetcher} is package-private before Hadoop 3.4.
 *
 * <p>For the reduce's thread; each fetcher is a thread of its own.
 */
package org.apache.hadoop.mapreduce.task.reduce;
