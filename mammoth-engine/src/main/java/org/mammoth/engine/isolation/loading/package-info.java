// SPDX-License-Identifier: Apache-2.0
/**
 * Where classes and resources are found: a job's class path, what the engine's has for all tasks,
 * and which jars are the engine's. Knows no task. Safe for any thread.
 */
package org.mammoth.engine.isolation.loading;
