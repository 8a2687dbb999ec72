package org.mammoth.mapreduce.nodemanager;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * What the NodeManager knows of each job from its localized job.xml, read once per job: the reason,
 * if any, why the job's tasks need processes of their own.
 *
 * <p>Thread-safe; remembers the latest {@value #CAPACITY} jobs.
 */
final class JobFacts {

  private static final int CAPACITY = 200;

  private final Function<Configuration, Optional<String>> judge;
  private final Map<String, Optional<String>> verdicts =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Optional<String>> eldest) {
          return size() > CAPACITY;
        }
      };

  JobFacts(Function<Configuration, Optional<String>> judge) {
    this.judge = judge;
  }

  /**
   * Why the tasks of the job described by {@code jobFile} must not run in an engine.
   *
   * @param jobFile the localized job.xml
   */
  Optional<String> reasonAgainst(File jobFile) {
    String key = jobFile.getPath() + '@' + jobFile.lastModified();
    synchronized (verdicts) {
      Optional<String> known = verdicts.get(key);
      if (known != null) {
        return known;
      }
    }
    Optional<String> verdict = judge.apply(read(jobFile));
    synchronized (verdicts) {
      verdicts.put(key, verdict);
    }
    return verdict;
  }

  private static Configuration read(File jobFile) {
    Configuration job = new Configuration(true);
    job.addResource(new Path(jobFile.toURI()));
    return job;
  }
}
