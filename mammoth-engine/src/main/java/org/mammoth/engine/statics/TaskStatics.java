// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.mammoth.engine.isolation.Detour;
import org.mammoth.engine.isolation.Statics;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * What rewritten shared classes call. Stateless but for the table, which never changes.
 * Thread-safe.
 */
public final class TaskStatics {

  /** Loaded with the first rewritten class, before any process is there. */
  private static final class Makers {
    static final StaticsTable TABLE = StaticsTable.load();
    static final Statics.Maker[] ALL = makers();
    static final PooledCodecs CODECS = new PooledCodecs(TABLE);

    private static Statics.Maker[] makers() {
      List<StaticsTable.Holder> holders = TABLE.holders();
      return holders.stream().map(HolderSlots::new).toArray(Statics.Maker[]::new);
    }
  }

  private TaskStatics() {}

  /**
   * The calling process's own static fields of a class; null when the call is the engine's, which
   * has the class's.
   *
   * @param holder the class's number in the table
   */
  public static Object[] slots(int holder) {
    TaskProcess process = TaskProcess.currentOrNull();
    return process == null ? null : process.statics().of(holder, Makers.ALL);
  }

  /** Gives back what a process that has ended holds outside the heap by such fields. */
  public static void release(TaskProcess process) {
    Makers.CODECS.end(process);
  }

  /** The calling process's own values of an object's fields; null if it has the shared ones. */
  public static Object[] own(Object object) {
    return OwnFields.areUsed() ? OwnFields.of(object) : null;
  }

  /**
   * As {@link #own}, but from now on there are values of the process's own.
   *
   * @param shared the values all share, to start with
   * @return null if no process calls
   */
  public static Object[] makeOwn(Object object, Object[] shared) {
    return OwnFields.make(object, shared);
  }

  /** What a shared class's initialiser begins with. */
  public static void enterInitializer() {
    Detour.asEngine();
  }

  /**
   * The processes that what was just done for the engine is to be repeated for; each {@code next}
   * has the calling thread act for that process, until the next question. None but in a shared
   * class's initialiser, whose effect a process would have by loading the class itself.
   */
  public static Iterator<TaskProcess> announcement() {
    return Detour.isAnnouncing()
        ? new Announcement(TaskProcess.all().iterator())
        : Collections.emptyIterator();
  }

  /** What a process is told of an object that is announced to all: a copy of its own. */
  public static Object copy(Object announced) {
    return DeepCopy.of(announced);
  }

  private static final class Announcement implements Iterator<TaskProcess> {
    private final Iterator<TaskProcess> processes;
    private Detour detour;

    Announcement(Iterator<TaskProcess> processes) {
      this.processes = processes;
    }

    @Override
    public boolean hasNext() {
      if (detour != null) {
        detour.close();
        detour = null;
      }
      return processes.hasNext();
    }

    @Override
    public TaskProcess next() {
      TaskProcess process = processes.next();
      detour = Detour.as(process);
      return process;
    }
  }

  /** What a shared class's initialiser ends with, however it ends. */
  public static void leaveInitializer() {
    Detour.leave();
  }
}
