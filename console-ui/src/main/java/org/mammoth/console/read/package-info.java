// SPDX-License-Identifier: Apache-2.0
/**
 * Reads the cluster over HTTP: finds nodes, asks each in turn with a deadline, and turns answers
 * into the console's model. The adapters are the only classes that know the daemons' names.
 *
 * <p>{@code ClusterWatch} has no thread: the ticking one drives it, and answers come on threads of
 * the HTTP client. What both touch is concurrent or has a monitor of its own; nothing is waited for
 * under one. It sends nothing but GETs, to admitted origins only.
 */
package org.mammoth.console.read;
