// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import org.mammoth.console.jobs.JobArchivist;
import org.mammoth.console.live.TaskSightings;
import org.mammoth.console.read.ContainerLogs;
import org.mammoth.console.read.FinishedJobs;
import org.mammoth.console.store.JobArchive;

/**
 * What the server shows of jobs.
 *
 * @param days how long they are kept
 */
public record JobParts(
    JobArchive archive,
    JobArchivist archivist,
    FinishedJobs finished,
    ContainerLogs logs,
    TaskSightings sightings,
    long days) {}
