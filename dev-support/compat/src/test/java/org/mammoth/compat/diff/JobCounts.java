// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.diff;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.mammoth.compat.cluster.MiniCluster;

/**
 * A job's counters and how much of what it has written is its own configuration.
 *
 * <p>Each task writes a copy of job.xml into its folder through Hadoop's local file system, and so
 * into FILE_BYTES_WRITTEN. The copies of two sides differ in what tells the sides apart; they lie
 * in the containers' folders, so they can be taken off exactly.
 *
 * @param jobFileBytes size of all tasks' copies of job.xml and of their checksums
 */
public record JobCounts(Counters counters, long jobFileBytes) {
  private static final List<String> COPIES = List.of("job.xml", ".job.xml.crc");

  /** A job that ran on the cluster. */
  public static JobCounts of(MiniCluster cluster, ApplicationId application, Counters counters)
      throws IOException {
    long bytes = 0;
    Path users = cluster.home().resolve("local").resolve("usercache");
    try (Stream<Path> folders = Files.list(users)) {
      for (Path user : folders.toList()) {
        bytes += bytesBelow(user.resolve("appcache").resolve(application.toString()));
      }
    }
    return new JobCounts(counters, bytes);
  }

  /** A job that ran in this JVM. */
  public static JobCounts local(Counters counters) {
    return new JobCounts(counters, 0);
  }

  /**
   * Asks for the copies by name: what else lies in a container's folder goes while its process
   * ends.
   */
  private static long bytesBelow(Path application) throws IOException {
    long bytes = 0;
    if (Files.isDirectory(application)) {
      try (Stream<Path> containers = Files.list(application)) {
        for (Path container : containers.toList()) {
          for (String name : COPIES) {
            bytes += sizeOf(container.resolve(name));
          }
        }
      }
    }
    return bytes;
  }

  /** The link to the localized file is no copy. */
  private static long sizeOf(Path copy) throws IOException {
    return Files.isRegularFile(copy, LinkOption.NOFOLLOW_LINKS) ? Files.size(copy) : 0;
  }
}
