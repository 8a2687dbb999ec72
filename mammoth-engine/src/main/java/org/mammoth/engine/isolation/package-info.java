// SPDX-License-Identifier: Apache-2.0
/**
 * What a task has to itself as if it were a process: environment, folder, properties, streams,
 * threads, hooks, exit status, and a class loader that has what its code calls rewritten. {@code
 * TaskProcess} holds it, {@code TaskClassLoader} loads, {@code Owners} says whose call it is,
 * {@code ProcessNeed} ends an attempt that reaches what cannot be shared.
 *
 * <p>Below are {@code standins}, what rewritten code calls; {@code rewrite}, what rewrites it;
 * {@code loading}, where classes are found; {@code classfile}, what is read in them; and {@code
 * purge}, what is forgotten when a task is over. This package knows the last three at most.
 *
 * <p>Whose call it is follows from the calling thread's group ({@code Owners}), so a stand-in may
 * be called by any thread, of a task or of the engine. Stand-ins keep no state. A {@code
 * TaskProcess} and its parts are safe for any thread and take locks of one task only, never across
 * tasks. Only the engine opens and closes processes.
 */
package org.mammoth.engine.isolation;
