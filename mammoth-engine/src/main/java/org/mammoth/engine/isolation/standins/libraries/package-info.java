// SPDX-License-Identifier: Apache-2.0
/**
 * Stand-ins of parts of the JDK that keep lists for a whole JVM: logging, JDBC drivers, images,
 * compilers, character sets, XML. Called by any thread; state is the task's own.
 */
package org.mammoth.engine.isolation.standins.libraries;
