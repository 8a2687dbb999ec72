// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** The memory limit of the control group this process runs in, version 1 or 2. */
public final class CgroupLimit {

  /** Version 1 spells "no limit" as a number near the largest one, rounded to pages. */
  private static final long UNLIMITED = Long.MAX_VALUE / 2;

  private CgroupLimit() {}

  /**
   * Reads the smallest limit of the group and the groups around it.
   *
   * @param root the file system's root, {@code /} but in tests
   * @return the limit in bytes; empty if there is none or no control groups are mounted
   * @throws IOException if a file is there and cannot be read
   */
  public static OptionalLong read(Path root) throws IOException {
    long limit = Long.MAX_VALUE;
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      if (parts[1].isEmpty()) {
        limit = Math.min(limit, upwards(root.resolve("sys/fs/cgroup"), parts[2], "memory.max"));
      } else if (List.of(parts[1].split(",")).contains("memory")) {
        Path mount = root.resolve("sys/fs/cgroup/memory");
        limit = Math.min(limit, upwards(mount, parts[2], "memory.limit_in_bytes"));
      }
    }
    return limit >= UNLIMITED ? OptionalLong.empty() : OptionalLong.of(limit);
  }

  private static long upwards(Path mount, String group, String file) throws IOException {
    long limit = Long.MAX_VALUE;
    Path folder = mount.resolve(group.replaceFirst("^/+", "")).normalize();
    while (folder != null && folder.startsWith(mount)) {
      for (String line : lines(folder.resolve(file))) {
        if (!line.isBlank() && !line.trim().equals("max")) {
          limit = Math.min(limit, parse(folder.resolve(file), line.trim()));
        }
      }
      folder = folder.getParent();
    }
    return limit;
  }

  private static long parse(Path file, String text) throws IOException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IOException(file + " holds '" + text + "' instead of a number of bytes", e);
    }
  }

  private static List<String> lines(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
