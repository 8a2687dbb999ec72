// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.localized;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.io.IoDirection;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.LocalizedFiles;
import org.mammoth.mapreduce.disks.LocalDirs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node's local directories on SSD ({@code mammoth.io.ssd-dirs}). */
public final class SsdDirs {

  private static final Logger LOG = LoggerFactory.getLogger(SsdDirs.class);

  private static final String LOCAL_DIRS = "LOCAL_DIRS";
  private static final long STEP_BYTES = 16L << 20;
  private static final long TIMEOUT_MS = 2_000;

  private SsdDirs() {}

  /**
   * The directories, in their order. One that is no local directory of the NodeManager, where no
   * shuffle service would find map output, or is the first one, which engines live in, is left out.
   */
  public static List<Path> of(Configuration conf) {
    List<Path> locals = LocalDirs.of(conf).all();
    List<Path> found = new ArrayList<>();
    for (Path dir : LocalDirs.onSsd(conf)) {
      if (locals.indexOf(dir) > 0) {
        found.add(dir);
      } else {
        LOG.warn(
            "{} in {} is ignored: it must be in {}, and not the first there",
            dir,
            IoKeys.SSD_DIRS.name(),
            YarnConfiguration.NM_LOCAL_DIRS);
      }
    }
    return found;
  }

  /** Where an engine's tasks put localized data. */
  public static LocalizedFiles localized(Configuration conf, IoScheduler io) {
    List<Path> dirs = of(conf);
    if (dirs.isEmpty()) {
      return LocalizedFiles.none();
    }
    LOG.info("Localized data goes to {} while the SSD cache lends room", dirs);
    return new LocalizedFiles(
        dirs,
        new SlaveSpace(dirs, TIMEOUT_MS, System::nanoTime),
        STEP_BYTES,
        io::healthyDirs,
        (file, error) -> io.failed(file, IoDirection.WRITE, error));
  }

  /**
   * Takes the directories out of an ordinary container's environment: it would write there without
   * asking for room.
   */
  public static void leaveOut(Map<String, String> environment, List<Path> dirs) {
    environment.computeIfPresent(
        LOCAL_DIRS,
        (name, value) -> {
          List<String> others =
              Arrays.stream(value.split(","))
                  .filter(dir -> dirs.stream().noneMatch(LocalDirs.path(dir)::startsWith))
                  .toList();
          return others.isEmpty() ? value : String.join(",", others);
        });
  }
}
