// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.mammoth.engine.isolation.Detour;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.FieldCalls;
import org.mammoth.engine.isolation.standins.ReflectiveCall;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file systems that a task, or an ApplicationMaster, has open as it ends. Stateless. */
public final class OpenFileSystems {

  private static final Logger LOG = LoggerFactory.getLogger(OpenFileSystems.class);

  private OpenFileSystems() {}

  /**
   * Closes them, which deletes what was to be deleted at the end of the process. Not so if it was
   * halted or turned out to need a process of its own: no shutdown hook runs then, and others may
   * rely on the files.
   */
  public static void close(TaskProcess process) throws IOException {
    try (Detour ignored = Detour.as(process)) {
      if (process.halted()) {
        try {
          deleteNothing();
        } catch (ReflectiveOperationException | RuntimeException e) {
          LOG.warn("Files are deleted at the end of {} though it was halted", process, e);
        }
      }
      FileSystem.closeAll();
    }
  }

  private static void deleteNothing() throws ReflectiveOperationException {
    Object cache = own(FileSystem.class.getDeclaredField("CACHE"));
    Field deletes = FileSystem.class.getDeclaredField("deleteOnExit");
    deletes.setAccessible(true);
    synchronized (cache) {
      Field map = cache.getClass().getDeclaredField("map");
      map.setAccessible(true);
      for (Object each : ((Map<?, ?>) map.get(cache)).values()) {
        @SuppressWarnings("unchecked")
        Set<Path> paths = (Set<Path>) deletes.get(each);
        synchronized (paths) {
          paths.clear();
        }
      }
    }
  }

  /** A static field's value as the process has it. */
  private static Object own(Field field) throws ReflectiveOperationException {
    field.setAccessible(true);
    ReflectiveCall get = FieldCalls.getting(field, null);
    return ((Field) get.first()).get(get.second());
  }
}
