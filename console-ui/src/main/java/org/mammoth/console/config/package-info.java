// SPDX-License-Identifier: Apache-2.0
/**
 * The declarations of the console's keys; the reference page is made of them. Immutable. Read once,
 * when the console starts.
 */
package org.mammoth.console.config;
