// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.mammoth.engine.isolation.Statics;
import org.mammoth.engine.isolation.TaskProcess;

/** Fills a process's slots of one rewritten class. Thread-safe. */
final class HolderSlots implements Statics.Maker {

  private final StaticsTable.Holder holder;

  HolderSlots(StaticsTable.Holder holder) {
    this.holder = holder;
  }

  @Override
  public int size() {
    return holder.slots().size();
  }

  @Override
  public void fill(Object[] slots, TaskProcess process) {
    Class<?> type = type();
    Object[] ofEngine = (Object[]) call(type, HolderRewriter.BASE);
    boolean initialise = false;
    for (Map.Entry<String, StaticsTable.Slot> entry : holder.slots().entrySet()) {
      StaticsTable.Slot slot = entry.getValue();
      if (slot.ofSomeVersions() && !has(type, entry.getKey())) {
        continue;
      }
      Object value = ofEngine[slot.index()];
      slots[slot.index()] = start(entry.getKey(), slot.start(), value, type);
      initialise |= slot.start() == SlotStart.INIT;
    }
    if (initialise) {
      call(type, HolderRewriter.INIT);
    }
    JobServices.complete(holder, slots, process);
  }

  private static boolean has(Class<?> type, String field) {
    return Arrays.stream(type.getDeclaredFields()).anyMatch(each -> each.getName().equals(field));
  }

  private Object start(String field, SlotStart start, Object value, Class<?> type) {
    switch (start) {
      case COPY:
        return Containers.copy(value);
      case DEEP:
        return DeepCopy.of(value);
      case EMPTY:
        return SlotValues.emptyLike(value);
      default:
        try {
          return SlotValues.zero(type.getDeclaredField(field).getType().descriptorString());
        } catch (NoSuchFieldException e) {
          throw new IllegalStateException(holder.name() + " has lost its field " + field, e);
        }
    }
  }

  private Class<?> type() {
    try {
      return Class.forName(
          holder.name().replace('/', '.'), true, HolderSlots.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a class that calls is not there", e);
    }
  }

  private static Object call(Class<?> type, String name) {
    try {
      Method method = type.getDeclaredMethod(name);
      method.setAccessible(true);
      return method.invoke(null);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "The static fields of " + type.getName() + " cannot be made for a task", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          type.getName() + " was not rewritten: the engine's agent did not see it loaded", e);
    }
  }
}
