// SPDX-License-Identifier: Apache-2.0
/**
 * Stand-ins of what starts programs: with the task's folder, environment and streams, and counted
 * as its children. Called by any thread; state is the task's own.
 */
package org.mammoth.engine.isolation.standins.children;
