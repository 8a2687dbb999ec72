// SPDX-License-Identifier: Apache-2.0
/**
 * Mammoth's part of a NodeManager: has each container judged ({@code launch}), starts engines and
 * looks after them, answers administrators and the console. {@code MammothContainerExecutor} and
 * {@code MammothShuffleHandler} are what YARN calls, {@code NodeEngines} puts the rest together.
 *
 * <p>Where containers run as their users, {@code MammothLinuxContainerExecutor} is what YARN calls.
 * {@code UserProcesses} then acts for them through upstream's setuid program, and {@code UserSite}
 * is an engine that belongs to its user. Two more threads wait for each of these: one in the
 * program that started it, one, for a moment, in the program that ends it.
 *
 * <p>An engine has one thread, its {@code EngineKeeper}, the only one that waits for it for others.
 * YARN's launcher threads wait in {@code InEngineCommand}. Locks go from {@code AppMasterHosts}
 * over {@code EngineSupervisor} and {@code EngineHandle} to leaves; under none of them is there a
 * call, a fork or a file of a disk. Futures are completed with no lock held.
 */
package org.mammoth.mapreduce.nodemanager;
