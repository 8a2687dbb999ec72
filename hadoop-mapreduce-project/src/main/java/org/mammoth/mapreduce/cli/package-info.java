// SPDX-License-Identifier: Apache-2.0
/**
 * The commands {@code mammoth engine} and {@code mammoth keys}. They ask the ResourceManager for
 * nodes and read NodeManagers' JMX pages over HTTP; they know no engine. One thread, a process of
 * its own.
 */
package org.mammoth.mapreduce.cli;
