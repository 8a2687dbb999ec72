// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.buffers;

import java.nio.file.Path;
import java.util.List;

/** Which of an application's local folders a starting task should write to. */
public final class HealthyDirs {

  private HealthyDirs() {}

  /**
   * Leaves out the folders in directories that the I/O scheduler has quarantined or found full, as
   * a file in them would be refused.
   *
   * @param appDirs the application's folder in each local directory
   * @param healthy the local directories that may be used
   * @return in the given order; all of {@code appDirs} if none is healthy, so that the task fails
   *     with the error of its disk, as it would in a process
   */
  public static List<String> of(List<String> appDirs, List<Path> healthy) {
    List<String> usable =
        appDirs.stream()
            .filter(
                appDir -> {
                  Path dir = Path.of(appDir).toAbsolutePath().normalize();
                  return healthy.stream().anyMatch(dir::startsWith);
                })
            .toList();
    return usable.isEmpty() ? List.copyOf(appDirs) : usable;
  }
}
