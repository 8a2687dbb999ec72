/**
 * Mammoth's part of a NodeManager: decides where each container runs, starts engines and looks
 * after them, answers administrators and the console. {@code MammothContainerExecutor} and {@code
 * MammothShuffleHandler} are what YARN calls, {@code NodeEngines} puts the rest together.
 *
 * <p>An engine has one thread, its {@code EngineKeeper}, the only one that waits for it for others.
 * YARN's launcher threads wait in {@code InEngineCommand}. Locks go from {@code AppMasterHosts}
 * over {@code EngineSupervisor} and {@code EngineHandle} to leaves; under none of them is there a
 * call, a fork or a file of a disk. Futures are completed with no lock held.
 */
package org.mammoth.mapreduce.nodemanager;
