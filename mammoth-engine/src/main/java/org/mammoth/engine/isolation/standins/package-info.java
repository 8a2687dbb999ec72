// SPDX-License-Identifier: Apache-2.0
/**
 * What rewritten code calls in place of the JDK's or a library's members: classes named {@code
 * ...Calls}, whose methods are marked with what they stand for ({@code Replaces}, {@code Precedes},
 * {@code Follows}, {@code Redirects}). Here are the marks, and what stands for fields, class
 * loaders and parts that a JVM finds by name; below it {@code files}, {@code network}, {@code
 * children}, {@code jvm} and {@code libraries} have the others, each with what a task keeps for
 * them.
 *
 * <p>Called by any thread; they keep no state but in the calling task's {@code TaskProcess}.
 */
package org.mammoth.engine.isolation.standins;
