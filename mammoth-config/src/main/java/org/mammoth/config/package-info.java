// SPDX-License-Identifier: Apache-2.0
/**
 * What a configuration key is, for the engine, the SSD cache and the console alike, and the pages
 * and files that are made of keys. Each of these declares its own in a package {@code config}.
 *
 * <p>Everything is immutable and takes no lock; any thread of any daemon may call it.
 */
package org.mammoth.config;
