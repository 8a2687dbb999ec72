// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import java.lang.reflect.Field;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.hadoop.fs.FileSystem;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.upstream.StatisticsSums;
import sun.misc.Unsafe;

/**
 * Gives every task its own file-system statistics, as it would have in a process of its own.
 *
 * <p>Hadoop keeps one {@code Statistics} per FileSystem class in a static table of {@link
 * FileSystem}; tasks that share a JVM would count into each other's. This map takes the table's
 * place and answers with the calling task's part of it, so that {@code Task}, which sums the table,
 * and record readers, which look a scheme up in it, see the task's own bytes and operations for
 * every FileSystem there is, exactly. All of FileSystem's accesses are made under its class lock.
 *
 * <p>The field is final, hence Unsafe; {@link #install} checks that it worked and throws if not, so
 * that an engine on a Hadoop where this is otherwise refuses to start and tasks run as in stock.
 */
public final class FileSystemStatistics
    extends AbstractMap<Class<? extends FileSystem>, FileSystem.Statistics> {

  private static final String TABLE = "statisticsTable";

  private final Map<Class<? extends FileSystem>, FileSystem.Statistics> ofEngine;
  private final Map<TaskProcess, Map<Class<? extends FileSystem>, FileSystem.Statistics>> ofTasks =
      Collections.synchronizedMap(new WeakHashMap<>());

  private FileSystemStatistics(Map<Class<? extends FileSystem>, FileSystem.Statistics> ofEngine) {
    this.ofEngine = ofEngine;
  }

  /**
   * Puts a per-task table in place of FileSystem's own. Call once, before any task.
   *
   * @throws IllegalStateException if FileSystem does not use it
   */
  public static FileSystemStatistics install() {
    try {
      Field field = FileSystem.class.getDeclaredField(TABLE);
      field.setAccessible(true);
      @SuppressWarnings("unchecked")
      Map<Class<? extends FileSystem>, FileSystem.Statistics> present =
          (Map<Class<? extends FileSystem>, FileSystem.Statistics>) field.get(null);
      FileSystemStatistics table = new FileSystemStatistics(new IdentityHashMap<>(present));
      replace(field, table);
      if (field.get(null) != table || !isUsed(table)) {
        throw new IllegalStateException("FileSystem does not use the statistics table it is given");
      }
      return table;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("FileSystem has no table of statistics as expected", e);
    }
  }

  @SuppressWarnings("deprecation") // nothing else can write a static final field
  private static void replace(Field field, Object value) throws ReflectiveOperationException {
    Field theUnsafe = Unsafe.class.getDeclaredField("theUnsafe");
    theUnsafe.setAccessible(true);
    Unsafe unsafe = (Unsafe) theUnsafe.get(null);
    unsafe.putObjectVolatile(unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field), value);
  }

  @SuppressWarnings("deprecation") // the deprecated look-up is the one Task uses
  private static boolean isUsed(FileSystemStatistics table) {
    FileSystem.Statistics probe = new FileSystem.Statistics("mammoth-probe");
    table.ofEngine.put(FileSystem.class, probe);
    boolean used = FileSystem.getAllStatistics().contains(probe);
    table.ofEngine.remove(FileSystem.class);
    return used;
  }

  /** Drops what a task has counted. */
  public void forget(TaskProcess task) {
    ofTasks.remove(task);
  }

  private Map<Class<? extends FileSystem>, FileSystem.Statistics> current() {
    TaskProcess task = TaskProcess.currentOrNull();
    return task == null ? ofEngine : ofTasks.computeIfAbsent(task, t -> new IdentityHashMap<>());
  }

  @Override
  public FileSystem.Statistics get(Object fileSystemClass) {
    return current().get(fileSystemClass);
  }

  @Override
  public FileSystem.Statistics put(
      Class<? extends FileSystem> fileSystemClass, FileSystem.Statistics statistics) {
    StatisticsSums.attach(statistics);
    return current().put(fileSystemClass, statistics);
  }

  @Override
  public Collection<FileSystem.Statistics> values() {
    return current().values();
  }

  @Override
  public Set<Map.Entry<Class<? extends FileSystem>, FileSystem.Statistics>> entrySet() {
    return current().entrySet();
  }
}
