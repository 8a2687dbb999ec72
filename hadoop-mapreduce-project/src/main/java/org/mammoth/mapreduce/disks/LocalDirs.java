// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.disks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.engine.config.IoKeys;

/**
 * The node's local directories ({@code yarn.nodemanager.local-dirs}), the one reader of that key.
 * Upstream takes plain paths and {@code file:} URIs for the same; so does this: all paths here are
 * absolute and normal, and compare.
 *
 * @param all in the key's order
 * @param homes of these, where engines may live: those that the SSD cache does not lend
 */
public record LocalDirs(List<Path> all, List<Path> homes) {

  /** What the folder of engines' homes in a local directory is called. */
  private static final String HOMES = "mammoth";

  /** Reads the keys. */
  public static LocalDirs of(Configuration conf) {
    List<Path> all = paths(Arrays.stream(conf.getTrimmedStrings(YarnConfiguration.NM_LOCAL_DIRS)));
    List<Path> lent = onSsd(conf);
    List<Path> plain = all.stream().filter(dir -> !lent.contains(dir)).toList();
    return new LocalDirs(
        all, (plain.isEmpty() ? all : plain).stream().map(dir -> dir.resolve(HOMES)).toList());
  }

  /** What {@code mammoth.io.ssd-dirs} names, whether or not they are local directories. */
  public static List<Path> onSsd(Configuration conf) {
    return paths(IoKeys.SSD_DIRS.get(conf).stream());
  }

  private static List<Path> paths(Stream<String> texts) {
    return texts.map(LocalDirs::path).collect(Collectors.toUnmodifiableList());
  }

  /** The path of a directory as configured: a plain path, or a {@code file:} URI. */
  public static Path path(String text) {
    String plain = new org.apache.hadoop.fs.Path(text.trim()).toUri().getPath();
    return Path.of(plain).toAbsolutePath().normalize();
  }
}
