// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
 * and the same commands where they are streaming's, which will reach it again.
 *
 * <p>Thread-safe; remembers the latest {@value #CAPACITY} kinds of jobs, for the NodeManager's
 * life.
 */
final class ProcessNeeds {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessNeeds.class);

  private static final int CAPACITY = 1000;

  private static final int DIRECTORY_BYTES = 64 << 10;

  /** Behind the signature of an entry in a jar's directory: time and date of the file. */
  private static final int TIME_IN_DIRECTORY = 12;

  /** The same where the entry itself stands. */
  private static final int TIME_AT_ENTRY = 10;

  private static final int TIME_BYTES = 4;

  /** What makes two jobs runs of one program. */
  private record Kind(String user, long jars, String classes, String commands) {}

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
    String classes =
        valuesOf(
            job,
            MRJobConfig.MAP_CLASS_ATTR,
            MRJobConfig.REDUCE_CLASS_ATTR,
            MRJobConfig.COMBINE_CLASS_ATTR,
            MRJobConfig.INPUT_FORMAT_CLASS_ATTR,
            MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR,
            "mapred.mapper.class",
            "mapred.reducer.class",
            "mapred.input.format.class",
            "mapred.output.format.class");
    return new Kind(launch.user(), jars.getValue(), classes, commandsOf(job));
  }

  private static String valuesOf(Configuration job, String... keys) {
    StringBuilder values = new StringBuilder();
    for (String key : keys) {
      values.append(job.get(key, "")).append(' ');
    }
    return values.toString();
  }

  /** What streaming runs, whose classes are the same in all jobs, with the sizes of its files. */
  private static String commandsOf(Configuration job) {
    StringBuilder commands =
        new StringBuilder(
            valuesOf(
                job,
                "stream.map.streamprocessor",
                "stream.reduce.streamprocessor",
                "stream.combine.streamprocessor"));
    if (commands.toString().isBlank()) {
      return "";
    }
    String[] files = job.getTrimmedStrings(MRJobConfig.CACHE_FILES);
    String[] sizes = job.getTrimmedStrings(MRJobConfig.CACHE_FILES_SIZES);
    for (int i = 0; i < Math.min(files.length, sizes.length); i++) {
      String link =
          files[i].substring(files[i].lastIndexOf(files[i].contains("#") ? '#' : '/') + 1);
      if (commands.indexOf(link) >= 0) {
        commands.append(link).append('=').append(sizes[i]).append(' ');
      }
    }
    return commands.toString();
  }

  /**
   * Its length and its end, where a jar has the checksums of what is in it; not when that was
   * written: streaming makes a jar for each job, of the same classes.
   */
  private static void addJar(File jar, CRC32 all) {
    if (!jar.isFile()) {
      return;
    }
    all.update(Long.toString(jar.length()).getBytes(StandardCharsets.US_ASCII));
    try (RandomAccessFile file = new RandomAccessFile(jar, "r")) {
      byte[] end =
          new byte[(int) Math.min(file.length(), DIRECTORY_BYTES + TIME_IN_DIRECTORY + TIME_BYTES)];
      file.seek(file.length() - end.length);
      file.readFully(end);
      forgetTimes(end);
      // An entry that begins before this has lost its time.
      int from = Math.max(0, end.length - DIRECTORY_BYTES);
      all.update(end, from, end.length - from);
    } catch (IOException e) {
      // Its length has to do: a jar that cannot be read here is told of where it is run.
      LOG.debug("{} cannot be told from others of its length", jar, e);
    }
  }

  private static void forgetTimes(byte[] jar) {
    for (int i = 0; i + TIME_IN_DIRECTORY + TIME_BYTES <= jar.length; i++) {
      if (jar[i] == 'P' && jar[i + 1] == 'K') {
        int time = 0;
        if (jar[i + 2] == 1 && jar[i + 3] == 2) {
          time = TIME_IN_DIRECTORY;
        } else if (jar[i + 2] == 3 && jar[i + 3] == 4) {
          time = TIME_AT_ENTRY;
        }
        if (time > 0) {
          Arrays.fill(jar, i + time, i + time + TIME_BYTES, (byte) 0);
        }
      }
    }
  }
}
