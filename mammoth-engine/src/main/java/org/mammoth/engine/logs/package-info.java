// SPDX-License-Identifier: Apache-2.0
/**
 * Where a task's log events and standard output go while all tasks share one JVM's log4j and {@code
 * System.out}. One lock for each file; log4j 1 holds its category's lock around an appender.
 * Installed once, by the engine's main thread before any task.
 */
package org.mammoth.engine.logs;
