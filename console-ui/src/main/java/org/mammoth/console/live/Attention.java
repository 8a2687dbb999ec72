package org.mammoth.console.live;

/**
 * What needs somebody's attention, and why. What is the same at many nodes is one.
 *
 * @param severity "bad" or "warn"
 * @param subject a node's id, a master's origin, a job's id, or the first of several nodes
 * @param page the page that shows more: nodes, memory, queues, jobs
 * @param count at how many nodes it is so, 1 or more; of a text about tasks, how many tasks
 */
public record Attention(String severity, String subject, String page, String text, long count) {}
