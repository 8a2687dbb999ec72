// SPDX-License-Identifier: Apache-2.0
/**
 * The link check: whether the classes of some jars find what they name in another version of
 * Hadoop, and still override what they override in the version they were built with. Reads class
 * files only. One thread.
 */
package org.mammoth.census.link;
