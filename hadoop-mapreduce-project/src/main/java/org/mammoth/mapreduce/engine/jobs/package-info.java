// SPDX-License-Identifier: Apache-2.0
/**
 * What the tasks of one job have of their own in an engine that serves many: settings, class
 * loaders, file-system statistics, caller context, folders.
 */
package org.mammoth.mapreduce.engine.jobs;
