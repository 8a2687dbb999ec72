// SPDX-License-Identifier: Apache-2.0
/**
 * What the JDK's concurrency leaves silent: {@code Outcome} logs what a handler of a future throws.
 */
package org.mammoth.engine.concurrent;
