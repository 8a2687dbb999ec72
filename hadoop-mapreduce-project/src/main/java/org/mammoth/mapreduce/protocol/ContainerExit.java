package org.mammoth.mapreduce.protocol;

/**
 * How a container's program ended.
 *
 * @param containerId which
 * @param exitCode as a process would have left it; {@link
 *     org.apache.hadoop.yarn.api.records.ContainerExitStatus#ABORTED} when the program is innocent
 *     of its end
 * @param diagnostics for people, may be empty
 */
public record ContainerExit(String containerId, int exitCode, String diagnostics) {}
