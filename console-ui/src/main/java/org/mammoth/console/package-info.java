// SPDX-License-Identifier: Apache-2.0
/**
 * The console's process: {@code ConsoleMain} reads the configuration, {@code Console} puts readers,
 * history and web server together. One thread ticks; it starts the reading of nodes and, once a
 * second, the recording. It ends none of the cluster's processes with it.
 */
package org.mammoth.console;
