// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The folders of the jobs that an engine works for. The NodeManager says when a job is over; where
 * its word was lost, as over its restart, the folders say it, once it has removed them from every
 * disk. A disk that is not there says nothing. Thread-safe.
 */
public final class JobFolders {

  private final Map<String, List<String>> jobs = new ConcurrentHashMap<>();

  /**
   * A container of a job starts.
   *
   * @param folders the application's folder on each local disk
   */
  public void started(String job, List<String> folders) {
    jobs.putIfAbsent(job, List.copyOf(folders));
  }

  /** The jobs whose folders are gone; asks the disks, and may wait for them. */
  public List<String> ended() {
    List<String> ended = new ArrayList<>();
    jobs.forEach(
        (job, folders) -> {
          if (areGone(folders)) {
            ended.add(job);
          }
        });
    return ended;
  }

  /** Forgets a job; false if it was not known. */
  public boolean forget(String job) {
    return jobs.remove(job) != null;
  }

  private static boolean areGone(List<String> folders) {
    boolean asked = false;
    for (String folder : folders) {
      Path path = Path.of(folder);
      if (Files.isDirectory(path)) {
        return false;
      }
      // The folder that holds those of all applications stays for as long as the disk does.
      asked |= Files.isDirectory(path.toAbsolutePath().getParent());
    }
    return asked;
  }
}
