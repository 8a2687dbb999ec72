// SPDX-License-Identifier: Apache-2.0
/**
 * Stand-ins of sockets and of the JDK's settings for connections, and the sockets that a task
 * leaves open. Called by any thread; state is the task's own.
 */
package org.mammoth.engine.isolation.standins.network;
