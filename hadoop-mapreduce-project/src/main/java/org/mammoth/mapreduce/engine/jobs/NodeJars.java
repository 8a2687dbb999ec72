// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jars beside those of the engine's class path, in the same folders, of which each task has classes
 * of its own: upstream's tests and what an administrator has added. Every container's class path
 * names them, before the job's own, so that each attempt's loader looks into them. One is kept open
 * here: the JDK reads a jar's directory once for all who have it open at the same time.
 * Thread-safe.
 */
public final class NodeJars {

  private static final Logger LOG = LoggerFactory.getLogger(NodeJars.class);

  private final Set<String> folders;
  private final Map<String, ZipFile> open = new HashMap<>();

  /**
   * Keeps none yet.
   *
   * @param classPath the engine's, as {@code java.class.path}
   */
  NodeJars(String classPath) {
    folders =
        Arrays.stream(classPath.split(File.pathSeparator))
            .map(entry -> new File(entry).getParent())
            .filter(folder -> folder != null)
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Opens those of a class path's jars that are the node's, unless they are open. */
  synchronized void keep(Collection<String> entries) {
    for (String entry : entries) {
      File file = new File(entry);
      if (folders.contains(file.getParent()) && file.isFile() && !open.containsKey(entry)) {
        open.put(entry, opened(file));
      }
    }
  }

  /** Null if it cannot be opened, which is for the task to see that needs it. */
  private static ZipFile opened(File file) {
    try {
      return new JarFile(file);
    } catch (IOException e) {
      LOG.debug("{} cannot be kept open", file, e);
      return null;
    }
  }
}
