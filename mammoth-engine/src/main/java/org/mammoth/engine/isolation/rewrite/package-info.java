// SPDX-License-Identifier: Apache-2.0
/**
 * Rewrites class files so that what they call of the JVM goes to stand-ins: {@code CallRewriter} is
 * the way in, {@code CallTable} says what is replaced by what. Stand-ins of reflection and of
 * method handles are here, too, as they look into the same table while a program runs. {@code
 * SharedGap} is what rewritten handlers call. All are immutable or stateless, and safe for any
 * thread.
 */
package org.mammoth.engine.isolation.rewrite;
