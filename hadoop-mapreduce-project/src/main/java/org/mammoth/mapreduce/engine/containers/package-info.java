// SPDX-License-Identifier: Apache-2.0
/**
 * Containers of an engine, from their launch to the end of their last thread: the programs that
 * they run, how these end or are ended. docs/lifecycle.md has the states.
 */
package org.mammoth.mapreduce.engine.containers;
