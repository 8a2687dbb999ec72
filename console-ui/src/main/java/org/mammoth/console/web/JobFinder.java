// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.jobs.JobSearch;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.JobPeaks;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.store.JobArchive;

/**
 * All jobs that are known: those the ResourceManager lists now and those of the archive. Any
 * thread.
 */
final class JobFinder {

  private static final long[] UNKNOWN = new long[0];

  private final JobArchive archive;
  private final long days;

  JobFinder(JobArchive archive, long days) {
    this.archive = archive;
    this.days = days;
  }

  JobArchive archive() {
    return archive;
  }

  /** Those a viewer may see and that match, in no order. */
  List<JobSearch.Found> find(Moment moment, Viewer viewer, JobSearch search) {
    List<JobSearch.Found> found = new ArrayList<>();
    Map<String, JobSample> listed = new HashMap<>();
    for (JobSample job : moment.view().jobs()) {
      listed.put(job.id(), job);
      if (viewer.sees(job.user()) && search.matches(job)) {
        JobDigest digest = archive.digest(job.id());
        long[] held =
            job.running()
                ? ClusterRoutes.use(moment, job)
                : digest == null ? UNKNOWN : peaks(digest);
        found.add(new JobSearch.Found(told(job, digest), held));
      }
    }
    for (JobDigest job : archive.digests()) {
      if (viewer.sees(job.user()) && search.matches(job) && !listed.containsKey(job.id())) {
        found.add(new JobSearch.Found(job.sample(), peaks(job)));
      }
    }
    return found;
  }

  private static long[] peaks(JobDigest digest) {
    JobPeaks held = digest.held();
    return held.told() ? held.peaks() : UNKNOWN;
  }

  private static JobSample told(JobSample job, JobDigest digest) {
    return job.tasks() == null && digest != null ? job.with(digest.tasks()) : job;
  }

  /**
   * One job.
   *
   * @throws ApiException 404 if nobody knows it, 403 if it is another user's
   */
  JobSample one(Moment moment, Viewer viewer, String id) throws ApiException {
    JobDigest digest = archive.digest(id);
    JobSample job = null;
    for (JobSample sample : moment.view().jobs()) {
      if (sample.id().equals(id)) {
        job = told(sample, digest);
      }
    }
    if (job == null && digest == null) {
      throw new ApiException(
          404,
          "no job "
              + id
              + ": neither does the ResourceManager list it for the last day, nor is it among the"
              + " jobs of "
              + days
              + " days that are kept ("
              + ConsoleKeys.JOBS_DAYS
              + ")");
    }
    JobSample known = job == null ? digest.sample() : job;
    if (!viewer.sees(known.user())) {
      throw new ApiException(403, "the job is another user's (" + ConsoleKeys.ACL_VIEW + ")");
    }
    return known;
  }
}
