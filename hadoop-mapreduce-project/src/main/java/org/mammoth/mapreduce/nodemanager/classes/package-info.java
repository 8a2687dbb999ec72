// SPDX-License-Identifier: Apache-2.0
/**
 * Where the classes of engines come from: the release's class archive, class files that are
 * rewritten ahead, and the Java that runs them.
 */
package org.mammoth.mapreduce.nodemanager.classes;
