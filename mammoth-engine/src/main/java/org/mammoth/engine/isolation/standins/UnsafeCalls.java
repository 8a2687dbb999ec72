// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;
import sun.misc.Unsafe;

/**
 * What rewritten code calls instead of asking {@code sun.misc.Unsafe} where a static field is: with
 * the answer it may set the field unseen. Stateless, thread-safe.
 *
 * <p>Netty, and what has Netty relocated in it, looks up so how much direct memory the JVM allows.
 * It finds a cell of its task's own with what its process would allow, which is the heap's size. It
 * looks up, too, whether the machine reads numbers at any address, and finds a cell with just that.
 */
public final class UnsafeCalls {
  private static final String BITS = "java.nio.Bits";
  private static final String DIRECT_LIMIT = "MAX_MEMORY";
  private static final String UNALIGNED = "UNALIGNED";

  /** The task's own static field, in the only place that is as large and at a known offset. */
  private record DirectLimit(long[] cell) {}

  /** As {@link DirectLimit}. */
  private record Unaligned(boolean[] cell) {}

  private UnsafeCalls() {}

  /** {@code Unsafe.staticFieldOffset}. */
  @SuppressWarnings("deprecation") // for hidden classes and records only
  @Replaces(value = Unsafe.class, receiver = true)
  public static long staticFieldOffset(Unsafe self, Field field) {
    if (directLimit(field) != null) {
      return Unsafe.ARRAY_LONG_BASE_OFFSET;
    }
    if (unaligned(self, field) != null) {
      return Unsafe.ARRAY_BOOLEAN_BASE_OFFSET;
    }
    locating(field);
    return self.staticFieldOffset(field);
  }

  /** {@code Unsafe.staticFieldBase}. */
  @SuppressWarnings("deprecation") // for hidden classes and records only
  @Replaces(value = Unsafe.class, receiver = true)
  public static Object staticFieldBase(Unsafe self, Field field) {
    DirectLimit own = directLimit(field);
    if (own != null) {
      return own.cell;
    }
    Unaligned copy = unaligned(self, field);
    if (copy != null) {
      return copy.cell;
    }
    locating(field);
    return self.staticFieldBase(field);
  }

  /** The calling task's, if it is that field. */
  private static DirectLimit directLimit(Field field) {
    TaskProcess process = isOfBits(field, DIRECT_LIMIT, long.class) ? Owners.callerOrNull() : null;
    return process == null || process.heapBytes() == 0
        ? null
        : process.part(DirectLimit.class, () -> new DirectLimit(new long[] {process.heapBytes()}));
  }

  /** The calling task's, if it is that field, which never changes. */
  @SuppressWarnings("deprecation") // for hidden classes and records only
  private static Unaligned unaligned(Unsafe unsafe, Field field) {
    TaskProcess process = isOfBits(field, UNALIGNED, boolean.class) ? Owners.callerOrNull() : null;
    if (process == null) {
      return null;
    }
    boolean is = unsafe.getBoolean(unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field));
    return process.part(Unaligned.class, () -> new Unaligned(new boolean[] {is}));
  }

  private static boolean isOfBits(Field field, String name, Class<?> type) {
    return field != null
        && field.getName().equals(name)
        && field.getDeclaringClass().getName().equals(BITS)
        && field.getType() == type;
  }

  private static void locating(Field field) {
    // The key to all look-ups is final, no container, and what many libraries want.
    if (FieldCalls.isOfShared(field)) {
      if (!Modifier.isFinal(field.getModifiers())) {
        FieldCalls.changing(field);
      }
      FieldCalls.taking(field);
    }
  }
}
