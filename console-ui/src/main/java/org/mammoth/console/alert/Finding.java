// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.Map;

/**
 * A rule's condition holds of one subject.
 *
 * @param labels whom it is about: node, disk, job, ...; they name the alert
 * @param summary what is wrong, in one line
 * @param description what is known of why, in sentences
 * @param untilMs until when it goes on to hold without being seen again, for what happens at one
 *     moment; 0 for what holds as long as it is seen
 */
record Finding(Map<String, String> labels, String summary, String description, long untilMs) {}
