// SPDX-License-Identifier: Apache-2.0
/**
 * The declarations of all keys of the engine, one class for each area, and the pages that are made
 * of them. A key is declared once, with default, unit, range and one sentence.
 *
 * <p>Everything is immutable; anybody may read keys. Whoever adds one runs {@code EngineKeysTest},
 * which writes the reference.
 */
package org.mammoth.engine.config;
