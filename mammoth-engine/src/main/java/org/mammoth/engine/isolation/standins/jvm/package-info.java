// SPDX-License-Identifier: Apache-2.0
/**
 * Stand-ins of what a JVM has once: its end, properties, hooks, threads, heap, beans, default
 * locale and security; and questions that are put into the JDK's own methods where no call can be
 * rewritten. Called by any thread; state is the task's own.
 */
package org.mammoth.engine.isolation.standins.jvm;
