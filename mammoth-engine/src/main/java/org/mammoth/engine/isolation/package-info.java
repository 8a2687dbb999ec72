// SPDX-License-Identifier: Apache-2.0
/**
 * What a task has to itself as if it were a process: environment, folder, properties, streams,
 * threads, hooks, exit status, and a class loader that rewrites what its code calls. {@code
 * TaskProcess} holds it, {@code TaskClassLoader} loads, {@code CallRewriter} rewrites, and classes
 * named {@code ...Calls} are what rewritten code calls.
 *
 * <p>Whose call it is follows from the calling thread's group ({@code Owners}), so a stand-in may
 * be called by any thread, of a task or of the engine. Stand-ins keep no state. A {@code
 * TaskProcess} and its parts are safe for any thread and take locks of one task only, never across
 * tasks. Only the engine opens and closes processes.
 */
package org.mammoth.engine.isolation;
