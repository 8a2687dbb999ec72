// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * One counter of a job that has ended.
 *
 * @param group without its package
 */
public record JobCounter(String group, String name, long map, long reduce, long total) {}
