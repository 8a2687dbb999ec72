// SPDX-License-Identifier: Apache-2.0
/**
 * The pools of an engine: how they are filled, and how tasks and the I/O scheduler take from them.
 */
package org.mammoth.mapreduce.engine.memory;
