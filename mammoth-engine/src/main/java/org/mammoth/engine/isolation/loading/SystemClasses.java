// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.loading;

import java.util.ArrayList;
import java.util.List;

/**
 * Which names a child-first loader leaves to its parent, in the syntax of {@code
 * mapreduce.job.classloader.system.classes}: a name ending in a dot is a package, any other a class
 * (with its nested ones) or resource, a leading minus excludes; a name is a system class if some
 * positive pattern matches and no negative one does (Hadoop's ApplicationClassLoader). Immutable.
 */
public final class SystemClasses {
  // The engine's own classes are named by rewritten code and must be one and the same for all.
  private static final String OURS = "org.mammoth.engine.";

  private final List<String> include = new ArrayList<>();
  private final List<String> exclude = new ArrayList<>();

  /** In the syntax of {@code mapreduce.job.classloader.system.classes}. */
  public SystemClasses(List<String> patterns) {
    for (String pattern : patterns) {
      String p = pattern.trim();
      if (p.startsWith("-")) {
        exclude.add(p.substring(1));
      } else if (!p.isEmpty()) {
        include.add(p);
      }
    }
  }

  /**
   * Whether the parent's class or resource is to be used first.
   *
   * @param name class name, or resource name with slashes
   */
  public boolean contains(String name) {
    String dotted = name.replace('/', '.');
    while (dotted.startsWith(".")) {
      dotted = dotted.substring(1);
    }
    return dotted.startsWith(OURS) || matches(include, dotted) && !matches(exclude, dotted);
  }

  private static boolean matches(List<String> patterns, String name) {
    for (String p : patterns) {
      if (name.startsWith(p)
          && (p.endsWith(".") || name.length() == p.length() || name.charAt(p.length()) == '$')) {
        return true;
      }
    }
    return false;
  }
}
