// SPDX-License-Identifier: Apache-2.0
/**
 * One node: adding Mammoth to it, taking it out, and what is there. Everything of ours lies below
 * {@code $HADOOP_HOME/mammoth}, but for one shell profile; nothing that was there before is
 * changed. A run is a list of steps, each of which looks at the node and does what is not done, so
 * that a run which ended anywhere is repeated or turned back by the next. One thread; runs on one
 * node exclude each other by a lock file.
 */
package org.mammoth.upgrade.node;
