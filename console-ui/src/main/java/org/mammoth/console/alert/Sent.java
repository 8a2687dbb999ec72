// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.Map;

/**
 * What a channel has delivered last of a rule.
 *
 * @param atMs when, milliseconds since 1970
 * @param firing when each alert that was said to fire fired, by its fingerprint
 */
record Sent(long atMs, Map<String, Long> firing) {}
