// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * What a method of {@code java.lang.reflect} is called with: the member, the object it is a member
 * of, and the arguments or the value. Rewritten code takes it apart. Immutable.
 */
public final class ReflectiveCall {
  /** The methods that give its parts. */
  public static final List<String> NAMES = List.of("first", "second", "third");

  private final Object[] parts;

  /** Of the parts that the class is described by, in that order. */
  public ReflectiveCall(Object... parts) {
    this.parts = parts;
  }

  /** A handle that takes a call, and gives one of its parts. */
  public static MethodHandle part(int index, Class<?> type) {
    MethodType returns = MethodType.methodType(Object.class);
    try {
      return MethodHandles.lookup()
          .findVirtual(ReflectiveCall.class, NAMES.get(index), returns)
          .asType(MethodType.methodType(type, ReflectiveCall.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The member. */
  public Object first() {
    return parts[0];
  }

  /** What comes after the member. */
  public Object second() {
    return parts[1];
  }

  /** What comes last of three. */
  public Object third() {
    return parts[2];
  }

  public boolean booleanValue() {
    return (Boolean) third();
  }

  public byte byteValue() {
    return (Byte) third();
  }

  public char charValue() {
    return (Character) third();
  }

  public short shortValue() {
    return (Short) third();
  }

  public int intValue() {
    return (Integer) third();
  }

  public long longValue() {
    return (Long) third();
  }

  public float floatValue() {
    return (Float) third();
  }

  public double doubleValue() {
    return (Double) third();
  }
}
