// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.purge;

import java.beans.Introspector;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;

/**
 * Removes what static caches of Hadoop and the JDK hold of a dead class loader, so that the loader,
 * its classes and their metaspace can go.
 *
 * <p>Reaches private fields by name. A field that is no longer there is reported each time, never
 * passed over: a rebase onto another Hadoop must not turn into a slow leak. Out of reach:
 * thread-locals of threads that outlive the task. Thread-safe.
 */
public final class LeakPurge {
  private static final String HADOOP = "org.apache.hadoop.";

  private final List<CacheSpot> spots;

  /** A purge of all caches known to pin user classes in Hadoop 3.4. */
  public LeakPurge() {
    this(
        List.of(
            new CacheSpot(HADOOP + "util.ReflectionUtils", "CONSTRUCTOR_CACHE"),
            new CacheSpot(HADOOP + "util.ReflectionUtils", "serialFactory"),
            new CacheSpot(HADOOP + "io.WritableComparator", "comparators"),
            new CacheSpot(HADOOP + "io.WritableName", "NAME_TO_CLASS"),
            new CacheSpot(HADOOP + "io.WritableName", "CLASS_TO_NAME"),
            new CacheSpot(HADOOP + "io.WritableFactories", "CLASS_TO_FACTORY"),
            new CacheSpot(HADOOP + "io.compress.CodecPool", "compressorPool"),
            new CacheSpot(HADOOP + "io.compress.CodecPool", "decompressorPool"),
            new CacheSpot(HADOOP + "io.compress.CodecPool", "compressorCounts"),
            new CacheSpot(HADOOP + "io.compress.CodecPool", "decompressorCounts"),
            new CacheSpot(HADOOP + "fs.AbstractFileSystem", "CONSTRUCTOR_CACHE"),
            new CacheSpot(HADOOP + "conf.Configuration", "CACHE_CLASSES")));
  }

  LeakPurge(List<CacheSpot> spots) {
    this.spots = List.copyOf(spots);
  }

  /**
   * What could not be reached, one message each; empty when all is well. Worth asking once at
   * start.
   */
  public List<String> selfTest() {
    List<String> troubles = new ArrayList<>();
    for (CacheSpot spot : spots) {
      spot.visit(null, troubles);
    }
    return troubles;
  }

  /**
   * Clears every known cache of what the loader, or a loader below it, defined. Call when no thread
   * runs the loader's code any more: a running one may fill the caches again.
   *
   * @return what could not be reached, as {@link #selfTest}
   */
  public List<String> purge(ClassLoader dead) {
    List<String> troubles = new ArrayList<>();
    for (CacheSpot spot : spots) {
      spot.visit(dead, troubles);
    }
    // The JDK offers no way to flush one loader's beans; others' are found again when asked for.
    Introspector.flushCaches();
    ResourceBundle.clearCache(dead);
    releaseCommonsLogging(dead, troubles);
    return troubles;
  }

  private static void releaseCommonsLogging(ClassLoader dead, List<String> troubles) {
    try {
      Class<?> factory =
          Class.forName(
              "org.apache.commons.logging.LogFactory", true, LeakPurge.class.getClassLoader());
      factory.getMethod("release", ClassLoader.class).invoke(null, dead);
    } catch (ClassNotFoundException notUsed) {
      return;
    } catch (ReflectiveOperationException e) {
      troubles.add("commons-logging keeps its logs of " + dead + ": " + e);
    }
  }

  /** A field that is a map, a Guava cache or something with a Configuration. */
  static final class CacheSpot {
    private final String owner;
    private final String name;

    CacheSpot(String owner, String name) {
      this.owner = owner;
      this.name = name;
    }

    /** Clears what belongs to the loader; null only tries to get there. */
    void visit(ClassLoader dead, List<String> troubles) {
      try {
        Class<?> type = Class.forName(owner, true, LeakPurge.class.getClassLoader());
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        // Some of these maps are guarded by their class's monitor, the others by themselves.
        synchronized (type) {
          if (!CacheCleaner.clean(field, dead)) {
            troubles.add(
                this + " is a " + field.getType().getName() + ", which the purge cannot clean");
          }
        }
      } catch (ReflectiveOperationException | RuntimeException e) {
        troubles.add(this + " cannot be reached, so it may keep user classes alive: " + e);
      }
    }

    @Override
    public String toString() {
      return owner + "." + name;
    }
  }
}
