// SPDX-License-Identifier: Apache-2.0
/**
 * Names of configuration keys, for those that cannot load the declarations: the console, which
 * knows no class of the engine, and {@code mammoth-upgrade}, which knows none of Hadoop. Plain
 * Java.
 *
 * <p>Everything is immutable; any thread.
 */
package org.mammoth.config.names;
