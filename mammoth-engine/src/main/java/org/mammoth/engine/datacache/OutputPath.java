// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

/** Where a file that an output committer still has to move will be, by the names committers use. */
final class OutputPath {

  private static final String TEMPORARY = "/_temporary/";

  private OutputPath() {}

  /**
   * The path after the commit: {@code /out/part-r-0} of {@code
   * /out/_temporary/1/_temporary/attempt_1/part-r-0}. A path that is none of a committer's stays as
   * it is. For display and grouping; nothing is right or wrong by it.
   */
  static String committed(String path) {
    int from = path.indexOf(TEMPORARY);
    if (from < 0) {
      return path;
    }
    String rest = path.substring(from + TEMPORARY.length());
    String[] parts = rest.split("/");
    int first = parts.length - 1;
    for (int i = 0; i < parts.length - 1; i++) {
      if (parts[i].startsWith("attempt_") || parts[i].startsWith("task_")) {
        first = i + 1;
      }
    }
    StringBuilder committed = new StringBuilder(path.substring(0, from));
    for (int i = first; i < parts.length; i++) {
      committed.append('/').append(parts[i]);
    }
    return committed.toString();
  }

  /** The folder of a path. */
  static String folder(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }

  /** Whether {@code path} is {@code folder} or lies in it. */
  static boolean isUnder(String path, String folder) {
    String top = folder.endsWith("/") ? folder.substring(0, folder.length() - 1) : folder;
    return path.startsWith(top)
        && (path.length() == top.length() || path.charAt(top.length()) == '/');
  }
}
