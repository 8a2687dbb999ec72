// SPDX-License-Identifier: Apache-2.0
/**
 * What libraries and the JDK keep for as long as a JVM lives, and which a task that is over must
 * not stay in. {@code LeakPurge} is called when a task's loader is closed.
 */
package org.mammoth.engine.isolation.purge;
