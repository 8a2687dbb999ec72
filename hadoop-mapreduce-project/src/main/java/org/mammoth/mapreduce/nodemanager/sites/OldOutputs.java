// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What engines that have ended left in the NodeManager's log folder: each has a file, and a node
 * has hundreds of engines a day. The latest of each kind stay.
 */
final class OldOutputs {

  private static final Logger LOG = LoggerFactory.getLogger(OldOutputs.class);

  /** Files of each kind that stay. */
  static final int KEPT = 50;

  /** Kind and name of an engine. */
  private static final Pattern NAME = Pattern.compile("mammoth-((engine|appmaster\\d*)-.+)\\.out");

  private record Output(Path file, FileTime written) {}

  private OldOutputs() {}

  /**
   * Removes all but the latest.
   *
   * @param homes folders with the homes of engines, whose files stay
   * @param kept how many files of each kind stay beside those
   */
  static void remove(Path logs, Collection<Path> homes, int kept) {
    Map<String, List<Output>> byKind = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(logs, "mammoth-*.out")) {
      for (Path file : files) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches() && homes.stream().noneMatch(home -> isIn(home, name.group(1)))) {
          byKind
              .computeIfAbsent(name.group(2), kind -> new ArrayList<>())
              .add(new Output(file, Files.getLastModifiedTime(file)));
        }
      }
      for (List<Output> outputs : byKind.values()) {
        outputs.sort(Comparator.comparing(Output::written).reversed());
        for (Output old : outputs.subList(Math.min(kept, outputs.size()), outputs.size())) {
          Files.deleteIfExists(old.file());
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.info("Outputs of engines that have ended stay in {}: {}", logs, e.toString());
    }
  }

  private static boolean isIn(Path home, String engineId) {
    return Files.exists(home.resolve(engineId));
  }
}
