// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.util.Iterator;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.apache.hadoop.fs.FileSystem;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds to a process's copy of what ServiceLoader has found for the engine what it finds in the
 * job's own jars. Stateless.
 */
final class JobServices {

  private static final Logger LOG = LoggerFactory.getLogger(JobServices.class);

  private static final String FILE_SYSTEM = "org/apache/hadoop/fs/FileSystem";
  private static final String SCHEMES = "SERVICE_FILE_SYSTEMS";

  private JobServices() {}

  static void complete(StaticsTable.Holder holder, Object[] slots, TaskProcess process) {
    if (!holder.name().equals(FILE_SYSTEM)) {
      return;
    }
    TaskClassLoader loader = process.loader();
    if (loader != null && loader.hasServices(FileSystem.class)) {
      @SuppressWarnings("unchecked")
      Map<String, Class<?>> schemes =
          (Map<String, Class<?>>) slots[holder.slots().get(SCHEMES).index()];
      addFileSystems(schemes, loader);
    }
  }

  /**
   * As FileSystem.loadFileSystems: of two for one scheme the one found last counts. A process calls
   * that, for its local folders, before it has the job's own loader.
   */
  private static void addFileSystems(Map<String, Class<?>> schemes, TaskClassLoader loader) {
    Iterator<FileSystem> found = ServiceLoader.load(FileSystem.class, loader).iterator();
    while (hasNext(found)) {
      try {
        FileSystem each = found.next();
        Class<?> type = each.getClass();
        if (type.getClassLoader() == loader && loader.isThereFromStart(type)) {
          schemes.put(each.getScheme(), type);
        }
      } catch (ServiceConfigurationError | RuntimeException e) {
        LOG.warn("Cannot load filesystem: {}", String.valueOf(e));
      }
    }
  }

  private static boolean hasNext(Iterator<FileSystem> found) {
    try {
      return found.hasNext();
    } catch (ServiceConfigurationError e) {
      LOG.warn("Cannot load filesystem: {}", String.valueOf(e));
      return false;
    }
  }
}
