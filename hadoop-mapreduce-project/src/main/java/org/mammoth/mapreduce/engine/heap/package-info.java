// SPDX-License-Identifier: Apache-2.0
/**
 * The heap that the tasks of an engine share: what each holds of it, what each was promised, and
 * whose turn it is to end when it runs out. docs/shared-heap.md has the rules. Thread-safe.
 */
package org.mammoth.mapreduce.engine.heap;
