// SPDX-License-Identifier: Apache-2.0
/**
 * Reads a container's launch as YARN would carry it out, and judges whether an engine can host it.
 * {@code LaunchRules} says where it runs: of the command ({@code TaskCommand}, {@code
 * AppMasterCommand}), the environment, the job's configuration ({@code JobRules}) and what earlier
 * tasks of the job have shown ({@code ProcessNeeds}). {@code HostedLaunch} is a launch with all its
 * files as the NodeManager knows them, {@code LocalizedLaunch} the same in an engine that runs as
 * the user to whom they belong, where {@code UserRules} judge.
 *
 * <p>Used by the NodeManager's part and by engines; knows neither. Nothing here starts a process
 * but {@code InheritedVariables}, which asks a shell once.
 */
package org.mammoth.mapreduce.launch;
