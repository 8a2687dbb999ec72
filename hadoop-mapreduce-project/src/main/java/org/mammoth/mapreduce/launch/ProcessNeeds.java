// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.mammoth.api.collections.LatestMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which jobs have had a task that reached what an engine cannot confine. Asked for the job's
 * further tasks, and for later jobs of the same user that run the same classes of the same jars,
 * which will reach it again.
 *
 * <p>Thread-safe; remembers the latest {@value #CAPACITY} kinds of jobs, for the NodeManager's
 * life.
 */
final class ProcessNeeds {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessNeeds.class);

  private static final int CAPACITY = 1000;

  private static final int DIRECTORY_BYTES = 64 << 10;

  /** What makes two jobs runs of one program. */
  private record Kind(String user, long jars, String classes) {}

  private final Map<Kind, String> reasons = LatestMap.byUse(CAPACITY);

  /** A task of a job has reached it. */
  synchronized void learn(JobFiles launch, Configuration job, String reason) {
    reasons.put(kindOf(launch, job), reason);
  }

  /** Why the job's tasks need processes, empty if none is known to. */
  synchronized Optional<String> reasonAgainst(JobFiles launch, Configuration job) {
    if (reasons.isEmpty()) {
      return Optional.empty();
    }
    return Optional.ofNullable(reasons.get(kindOf(launch, job)));
  }

  private static Kind kindOf(JobFiles launch, Configuration job) {
    CRC32 jars = new CRC32();
    launch.classPath().allEntries().forEach(entry -> addJar(new File(entry), jars));
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
    return new Kind(launch.user(), jars.getValue(), classes.toString());
  }

  /** Its length and its end, where a jar has the checksums of what is in it. */
  private static void addJar(File jar, CRC32 all) {
    if (!jar.isFile()) {
      return;
    }
    all.update(Long.toString(jar.length()).getBytes(StandardCharsets.US_ASCII));
    try (RandomAccessFile file = new RandomAccessFile(jar, "r")) {
      byte[] end = new byte[(int) Math.min(file.length(), DIRECTORY_BYTES)];
      file.seek(file.length() - end.length);
      file.readFully(end);
      all.update(end);
    } catch (IOException e) {
      // Its length has to do: a jar that cannot be read here is told of where it is run.
      LOG.debug("{} cannot be told from others of its length", jar, e);
    }
  }
}
