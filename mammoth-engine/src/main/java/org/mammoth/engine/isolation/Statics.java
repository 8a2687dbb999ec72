// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The static fields of shared classes as one process sees them: a slot for each field that is not
 * shared, made when the process first uses one of the class's. This is how Czajkowski ("Application
 * Isolation in the Java Virtual Machine", 2000) has several applications share classes but not
 * state; {@code org.mammoth.engine.statics} rewrites the classes.
 *
 * <p>Thread-safe. A class's slots are made under a lock of their own, which the thread that makes
 * them may enter again: as in a JVM, it sees them unfinished, and others wait.
 */
public final class Statics {

  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Object[][].class);
  private static final Object[][] NONE = {};

  /** Makes the slots of one class. */
  public interface Maker {

    /** How many slots the class has. */
    int size();

    /**
     * Fills them; called on a thread that acts for the process.
     *
     * @throws IllegalStateException if that cannot be done; the task gets a process then
     */
    void fill(Object[] slots, TaskProcess process);
  }

  private static final class Making {
    private Object[] slots;
  }

  private final TaskProcess process;
  private final Object growth = new Object();
  private volatile Object[][] ready = NONE;
  private Making[] making = {};

  Statics(TaskProcess process) {
    this.process = process;
  }

  /**
   * The slots of a class.
   *
   * @param id of the class, counted from 0
   * @param makers by the same ids
   */
  public Object[] of(int id, Maker[] makers) {
    Object[][] known = ready;
    if (id < known.length) {
      Object[] slots = (Object[]) SLOTS.getAcquire(known, id);
      if (slots != null) {
        return slots;
      }
    }
    return make(id, makers);
  }

  private Object[] make(int id, Maker[] makers) {
    Making own = making(id, makers.length);
    synchronized (own) {
      if (own.slots == null) {
        boolean made = false;
        own.slots = new Object[makers[id].size()];
        try {
          makers[id].fill(own.slots, process);
          made = true;
        } catch (IllegalStateException e) {
          // What shared code has put there cannot be had twice; in a process it is there once.
          process.needProcess("its static fields of Hadoop's cannot be made: " + e.getMessage());
          throw e;
        } finally {
          if (made) {
            SLOTS.setRelease(ready, id, own.slots);
          } else {
            own.slots = null;
          }
        }
      }
      return own.slots;
    }
  }

  private Making making(int id, int classes) {
    synchronized (growth) {
      if (making.length < classes) {
        making = Arrays.copyOf(making, classes);
        ready = Arrays.copyOf(ready, classes);
      }
      if (making[id] == null) {
        making[id] = new Making();
      }
      return making[id];
    }
  }

  /** The slots of a class if they have been made. */
  public Object[] ifMade(int id) {
    Object[][] known = ready;
    return id < known.length ? (Object[]) SLOTS.getAcquire(known, id) : null;
  }
}
