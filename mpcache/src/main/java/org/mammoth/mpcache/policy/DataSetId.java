// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

/**
 * The identity of a data set: a job's input path, or the directory of a file that is read without a
 * job. Two spellings of one path (trailing or doubled slashes) are one identity.
 *
 * @param path absolute, without a trailing slash unless it is the root
 */
public record DataSetId(String path) {

  /**
   * @throws IllegalArgumentException if the path is not absolute
   */
  public DataSetId {
    path = normal(path);
  }

  /** The data set a file belongs to when no job names one: its directory. */
  public static DataSetId ofFile(String file) {
    String normal = normal(file);
    int slash = normal.lastIndexOf('/');
    return new DataSetId(slash == 0 ? "/" : normal.substring(0, slash));
  }

  /** Whether this is {@code ancestor} or lies below it. */
  public boolean isUnder(DataSetId ancestor) {
    return ancestor.path.equals("/")
        || path.equals(ancestor.path)
        || path.startsWith(ancestor.path + "/");
  }

  private static String normal(String path) {
    if (path == null || !path.startsWith("/")) {
      throw new IllegalArgumentException("a data set needs an absolute path, not '" + path + "'");
    }
    String single = path.replaceAll("/{2,}", "/");
    return single.length() > 1 && single.endsWith("/")
        ? single.substring(0, single.length() - 1)
        : single;
  }

  @Override
  public String toString() {
    return path;
  }
}
