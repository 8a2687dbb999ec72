// SPDX-License-Identifier: Apache-2.0
/**
 * The engine process: it takes containers from its NodeManager, runs each as threads, and reports
 * how they ended. {@code EngineMain} puts it together; {@code HostedContainer} is one container's
 * life, {@code TaskProgram} and {@code AppMasterProgram} what runs in it, {@code NodeMemory} what
 * tasks share, {@code HeapKeeper} keeps them to their part of the heap. {@code UserContainers} does
 * for an engine that runs as its user what the NodeManager does for others.
 *
 * <p>Each container has a warden, an engine thread that starts its main thread and outlives it. The
 * engine's own threads are made outside any task's group. The monitors of {@code ContainerTable}
 * and {@code ContainerLife}, and those of the sets of {@code HostedContainers}, are leaves: none is
 * held while another is taken. Threads of RPC handlers launch, signal and poll; nothing here is
 * called by task code but through {@code buffers} and {@code isolation}.
 */
package org.mammoth.mapreduce.engine;
