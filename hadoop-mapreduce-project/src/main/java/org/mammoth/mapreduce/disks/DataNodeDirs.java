// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.disks;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where this node's DataNode keeps its blocks ({@code dfs.datanode.data.dir}). */
public final class DataNodeDirs {

  private static final Logger LOG = LoggerFactory.getLogger(DataNodeDirs.class);

  /** The DataNode's key; not in the client's jars. */
  public static final String KEY = "dfs.datanode.data.dir";

  private DataNodeDirs() {}

  /** Those that are there; none on a node without a DataNode. */
  public static List<Path> of(Configuration conf) {
    List<Path> found = new ArrayList<>();
    for (String text : new HdfsConfiguration(conf).getTrimmedStrings(KEY)) {
      try {
        Path dir = path(text);
        if (Files.exists(dir)) {
          found.add(dir);
        }
      } catch (IllegalArgumentException e) {
        LOG.info("{} in {} is no directory of this node: {}", text, KEY, e.getMessage());
      }
    }
    return found;
  }

  /**
   * The directory of an entry such as {@code [DISK]file:///data/hdfs}.
   *
   * @throws IllegalArgumentException if it is none of a local file system
   */
  static Path path(String entry) {
    String place = entry.startsWith("[") ? entry.substring(entry.indexOf(']') + 1) : entry;
    return place.startsWith("file:") ? Path.of(URI.create(place).getPath()) : Path.of(place);
  }
}
