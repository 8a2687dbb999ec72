// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The class path that engines have, which is the NodeManager's: what every task has in common and
 * no class loader of a job looks into again. Immutable.
 */
public final class SharedClassPath {

  private final Set<String> files = new HashSet<>();
  private final Map<String, Long> lengths = new HashMap<>();

  /**
   * @param classPath as in the property {@code java.class.path}: no wildcards
   */
  public SharedClassPath(String classPath) {
    for (String entry : classPath.split(File.pathSeparator)) {
      File file = new File(entry);
      files.add(file.toPath().toAbsolutePath().normalize().toString());
      files.add(realPath(file));
      lengths.put(file.getName(), file.length());
    }
  }

  /** Whether a file is on it, by whichever name. */
  boolean has(File file) {
    return files.contains(file.getPath()) || files.contains(realPath(file));
  }

  /** Whether a jar of the same name and length is on it: the same jar of another installation. */
  boolean hasAlike(File jar) {
    return lengths.getOrDefault(jar.getName(), -1L) == jar.length();
  }

  private static String realPath(File file) {
    try {
      return file.toPath().toRealPath().toString();
    } catch (IOException notThere) {
      return file.getPath();
    }
  }
}
