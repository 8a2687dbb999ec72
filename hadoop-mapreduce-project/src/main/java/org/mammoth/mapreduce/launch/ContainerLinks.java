// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * The localized files of a container under the names that its launch script links them by. A
 * resource named {@code folder/*}, which is what {@code -libjars} becomes by default, stands for
 * each file of its folder, linked by the file's own name (upstream's
 * ContainerExecutor.writeLaunchEnv). Immutable.
 */
final class ContainerLinks {

  private static final String WILDCARD = "*";

  private final Map<String, File> targets;

  private ContainerLinks(Map<String, File> targets) {
    this.targets = Collections.unmodifiableMap(targets);
  }

  /** Reads the folders of wildcards; what cannot be read links nothing, as in the script. */
  static ContainerLinks of(Map<Path, List<String>> resources) {
    // Keyed by file, as upstream's, whose order the script has: of two names the last one stays.
    Map<Path, String> nameOfEach = new HashMap<>();
    resources.forEach(
        (path, names) -> {
          for (String name : names) {
            if (new Path(name).getName().equals(WILDCARD)) {
              filesOf(new File(path.toUri().getPath()))
                  .forEach(file -> nameOfEach.put(new Path(file.toString()), file.getName()));
            } else {
              nameOfEach.put(path, name);
            }
          }
        });
    Map<String, File> targets = new LinkedHashMap<>();
    nameOfEach.forEach((path, name) -> link(targets, name, new File(path.toUri().getPath())));
    return new ContainerLinks(targets);
  }

  /**
   * Of two resources with one name the later one has it, as with the script's {@code ln -sf},
   * unless the earlier one is a folder, such as an unpacked archive: that stays, since {@code ln}
   * then links within it. The link within is not made here, as the folder belongs to other
   * containers, too.
   */
  private static void link(Map<String, File> targets, String name, File file) {
    File earlier = targets.get(name);
    if (earlier == null || !earlier.isDirectory()) {
      targets.put(name, file);
    }
  }

  /** The files of a folder in the order of their names. */
  static List<File> filesOf(File folder) {
    File[] files = folder.listFiles();
    if (files == null) {
      return List.of();
    }
    Arrays.sort(files);
    return List.of(files);
  }

  /** The file that a container knows by a name relative to its folder. */
  Optional<File> target(String name) {
    return Optional.ofNullable(targets.get(name));
  }

  /** Targets by link. */
  Map<String, File> targets() {
    return targets;
  }

  /** The same by target, as upstream has it. */
  Map<Path, List<String>> byTarget() {
    Map<Path, List<String>> byTarget = new LinkedHashMap<>();
    targets.forEach(
        (name, file) ->
            byTarget.computeIfAbsent(new Path(file.toURI()), p -> new ArrayList<>()).add(name));
    return byTarget;
  }
}
