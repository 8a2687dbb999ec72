// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * A task attempt that runs in an engine.
 *
 * @param type MAP, REDUCE, or empty for what else runs there
 * @param sinceMs when it came into the engine, milliseconds since 1970
 * @param merge how a reduce gets hold of other nodes' output; empty if it does not tell
 * @param programs how many programs it has started and has running
 * @param programBytes what these have resident
 */
public record TaskSample(
    String attempt,
    String job,
    String user,
    String type,
    String phase,
    String container,
    long memoryMb,
    long sinceMs,
    String merge,
    int programs,
    long programBytes) {}
