// SPDX-License-Identifier: Apache-2.0
/**
 * The console's own records of what nodes say. Immutable values, free of any other module's types
 * and names: adapters in {@code read} make them, all others use them.
 */
package org.mammoth.console.model;
