// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.transfer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mammoth.engine.shuffle.SecretProvider;

/**
 * The jobs whose map output an engine serves and fetches: their secrets, and where their outputs
 * lie. A job is here from its first task in the engine until it is over. Any thread.
 */
public final class ServedJobs implements SecretProvider {

  private record Job(byte[] secret, List<String> localDirs) {}

  private final Map<String, Job> jobs = new ConcurrentHashMap<>();

  /**
   * A task of a job has started here.
   *
   * @param secret of the job's shuffle
   * @param localDirs the application's folder on each local disk
   */
  public void started(String job, byte[] secret, List<String> localDirs) {
    jobs.computeIfAbsent(job, name -> new Job(secret.clone(), List.copyOf(localDirs)));
  }

  @Override
  public byte[] secret(String job) {
    Job known = jobs.get(job);
    return known == null ? null : known.secret();
  }

  /** The application's folder on each local disk; none for a job that is not known. */
  List<String> localDirs(String job) {
    Job known = jobs.get(job);
    return known == null ? List.of() : known.localDirs();
  }

  /** Forgets a job that is over. */
  void forget(String job) {
    jobs.remove(job);
  }
}
