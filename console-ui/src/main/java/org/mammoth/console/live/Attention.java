// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

/**
 * What needs somebody's attention, and why. What is the same at many nodes, or of many jobs, is
 * one.
 *
 * @param cause names the group, as long as what is said of it is the same
 * @param severity "bad" or "warn"
 * @param subject a node's id, a master's origin, a job's id, or the first of several
 * @param page the page that shows more: nodes, memory, queues, jobs
 * @param count of how many nodes or jobs it is said, 1 or more
 * @param times how often it is so, of all of them together: tasks, engines, disks
 * @param atLeast whether it may be oftener than {@code times}, as a node keeps its last ones only
 */
public record Attention(
    String cause,
    String severity,
    String subject,
    String page,
    String text,
    long count,
    long times,
    boolean atLeast) {}
