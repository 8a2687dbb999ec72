package org.mammoth.mapreduce.nodemanager;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Which jobs have had a task that reached what an engine cannot confine. Asked for the job's
 * further tasks, and for later jobs of the same user that run the same classes of a jar of the same
 * length, which will reach it again.
 *
 * <p>Thread-safe; remembers the latest {@value #CAPACITY} kinds of jobs, for the NodeManager's
 * life.
 */
final class ProcessNeeds {

  private static final int CAPACITY = 1000;

  /** What makes two jobs runs of one program. */
  private record Kind(String user, long jarLength, String classes) {}

  private final Map<Kind, String> reasons =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, String> eldest) {
          return size() > CAPACITY;
        }
      };

  /** A task of a job has reached it. */
  synchronized void learn(HostedLaunch launch, Configuration job, String reason) {
    reasons.put(kindOf(launch, job), reason);
  }

  /** Why the job's tasks need processes, empty if none is known to. */
  synchronized Optional<String> reasonAgainst(HostedLaunch launch, Configuration job) {
    return Optional.ofNullable(reasons.get(kindOf(launch, job)));
  }

  private static Kind kindOf(HostedLaunch launch, Configuration job) {
    long length =
        launch.classPath().entries().stream().map(File::new).mapToLong(File::length).sum();
    StringBuilder classes = new StringBuilder();
    for (String key :
        new String[] {
          MRJobConfig.MAP_CLASS_ATTR,
          MRJobConfig.REDUCE_CLASS_ATTR,
          MRJobConfig.COMBINE_CLASS_ATTR,
          MRJobConfig.INPUT_FORMAT_CLASS_ATTR,
          MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR,
          "mapred.mapper.class",
          "mapred.reducer.class",
          "mapred.input.format.class",
          "mapred.output.format.class"
        }) {
      classes.append(job.get(key)).append(' ');
    }
    return new Kind(launch.user(), length, classes.toString());
  }
}
