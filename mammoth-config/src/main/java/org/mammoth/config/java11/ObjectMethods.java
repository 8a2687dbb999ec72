// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config.java11;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What javac makes {@code equals}, {@code hashCode} and {@code toString} of a record of, where the
 * JDK has no {@code java.lang.runtime.ObjectMethods}; where it has it, that is what is used.
 * Stateless.
 */
public final class ObjectMethods {

  private static final String THE_JDKS = "java.lang.runtime.ObjectMethods";
  private static final int FIRST_JAVA_WITH_RECORDS = 16;

  private ObjectMethods() {}

  /**
   * The bootstrap method of the three; its arguments are those of the JDK's.
   *
   * @param type of the method, with the record first
   * @param names of the components, with a semicolon between them
   * @param getters of the components, in this order
   * @return a call site
   */
  public static Object bootstrap(
      MethodHandles.Lookup lookup,
      String method,
      MethodType type,
      Class<?> record,
      String names,
      MethodHandle... getters)
      throws Throwable {
    if (Runtime.version().feature() >= FIRST_JAVA_WITH_RECORDS) {
      return theJdks().invoke(lookup, method, type, record, names, getters);
    }
    return callSite(method, type, record, names, getters);
  }

  /** For a JDK without records. */
  static CallSite callSite(
      String method, MethodType type, Class<?> record, String names, MethodHandle... getters)
      throws ReflectiveOperationException {
    Components components =
        new Components(record, names.isEmpty() ? List.of() : List.of(names.split(";")), getters);
    MethodType bound = type.changeParameterType(0, Object.class);
    MethodHandle handle =
        MethodHandles.lookup()
            .findVirtual(Components.class, method + "Of", bound)
            .bindTo(components);
    return new ConstantCallSite(handle.asType(type));
  }

  private static MethodHandle theJdks() throws ReflectiveOperationException {
    Class<?> descriptor = Class.forName("java.lang.invoke.TypeDescriptor");
    return MethodHandles.publicLookup()
        .findStatic(
            Class.forName(THE_JDKS),
            "bootstrap",
            MethodType.methodType(
                Object.class,
                MethodHandles.Lookup.class,
                String.class,
                descriptor,
                Class.class,
                String.class,
                MethodHandle[].class))
        .asFixedArity();
  }

  /** The components of one record class. */
  private static final class Components {
    private final Class<?> record;
    private final List<String> names;
    private final MethodHandle[] getters;

    Components(Class<?> record, List<String> names, MethodHandle... getters) {
      this.record = record;
      this.names = names;
      this.getters =
          Arrays.stream(getters)
              .map(getter -> getter.asType(MethodType.methodType(Object.class, Object.class)))
              .toArray(MethodHandle[]::new);
    }

    boolean equalsOf(Object one, Object other) throws Throwable {
      if (one == other) {
        return true;
      }
      if (!record.isInstance(other)) {
        return false;
      }
      for (MethodHandle getter : getters) {
        // Boxed numbers compare as records do: NaN is itself, and 0.0 is not -0.0.
        if (!Objects.equals(get(getter, one), get(getter, other))) {
          return false;
        }
      }
      return true;
    }

    int hashCodeOf(Object one) throws Throwable {
      int hash = 0;
      for (MethodHandle getter : getters) {
        hash = 31 * hash + Objects.hashCode(get(getter, one));
      }
      return hash;
    }

    String toStringOf(Object one) throws Throwable {
      StringBuilder text = new StringBuilder(record.getSimpleName()).append('[');
      for (int i = 0; i < getters.length; i++) {
        text.append(i == 0 ? "" : ", ")
            .append(names.get(i))
            .append('=')
            .append(get(getters[i], one));
      }
      return text.append(']').toString();
    }

    private static Object get(MethodHandle getter, Object one) throws Throwable {
      return (Object) getter.invokeExact(one);
    }
  }
}
