// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.disks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.io.DiskDetector;
import org.mammoth.engine.io.SeekProbe;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of the node's local directories lie on spinning disks ({@code mammoth.io.spinning-dirs}).
 * The NodeManager finds out and leaves the answer in each directory; engines, which may run as
 * users who cannot write there, are told.
 */
public final class SpinningDirs {

  private static final Logger LOG = LoggerFactory.getLogger(SpinningDirs.class);

  private static final String AUTO = "auto";
  private static final String ALL = "all";

  /** No disk of the node spins. */
  public static final String NONE = "none";

  /** Holds the microseconds of a seek, or -1 where none could be timed. */
  private static final String ANSWER = ".mammoth-seek-micros";

  private SpinningDirs() {}

  /** What an engine was told. */
  public static Predicate<Path> told(Configuration conf) {
    String value = IoKeys.SPINNING_DIRS.get(conf).trim();
    if (value.equals(ALL)) {
      return dir -> true;
    }
    if (value.equals(NONE) || value.equals(AUTO)) {
      return dir -> false;
    }
    Set<Path> dirs =
        Arrays.stream(value.split(",")).map(LocalDirs::path).collect(Collectors.toSet());
    return dir -> dirs.contains(dir.toAbsolutePath().normalize());
  }

  /**
   * What to tell engines: the key's own value, or for {@code auto} the directories whose disks need
   * long for a seek. Takes up to a second for each disk that has no answer yet.
   */
  public static String find(Configuration conf, SeekProbe probe, DiskDetector disks) {
    String value = IoKeys.SPINNING_DIRS.get(conf).trim();
    if (!value.equals(AUTO)) {
      return value;
    }
    List<String> spinning = new ArrayList<>();
    for (Path dir : LocalDirs.of(conf).all()) {
      try {
        if (micros(dir, probe) >= SeekProbe.SPINS_FROM_MICROS) {
          LOG.info("{} lies on a spinning disk ({})", dir, disks.diskOf(dir));
          spinning.add(dir.toString());
        }
      } catch (IOException | NumberFormatException e) {
        LOG.info("{} is not taken for a spinning disk: {}", dir, e.toString());
      }
    }
    return spinning.isEmpty() ? NONE : String.join(",", spinning);
  }

  private static long micros(Path dir, SeekProbe probe) throws IOException {
    Path answer = dir.resolve(ANSWER);
    if (Files.exists(answer)) {
      return Long.parseLong(Files.readString(answer).trim());
    }
    OptionalLong measured = probe.micros(dir);
    LOG.info("A seek of the disk of {} takes {} us", dir, measured);
    Files.writeString(answer, measured.orElse(-1) + "\n");
    return measured.orElse(-1);
  }
}
