// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

/**
 * How a channel fares.
 *
 * @param channel webhook or e-mail
 * @param target where it leads, without anything secret
 * @param sent how many notifications were delivered since the console started
 * @param failed how many tries failed
 * @param lastMs when one was delivered last; 0 if none was since the start
 * @param failingMs since when deliveries fail; 0 if they do not
 * @param error why the last try failed; empty if it did not
 */
public record Delivery(
    String channel,
    String target,
    long sent,
    long failed,
    long lastMs,
    long failingMs,
    String error) {}
