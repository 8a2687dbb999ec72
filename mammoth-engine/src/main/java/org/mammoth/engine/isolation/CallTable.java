package org.mammoth.engine.isolation;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Which member of which class is replaced by which method of ours, read from {@link Replaces} on
 * the classes below. Immutable.
 *
 * <p>The table is made of methods that exist, so a rewritten call cannot miss; that each stands for
 * a member that exists is a test.
 */
final class CallTable {
  static final List<Class<?>> SOURCES =
      List.of(
          ProcessCalls.class,
          FileCalls.class,
          PathCalls.class,
          FilesCalls.class,
          WalkCalls.class,
          ChildCalls.class,
          HadoopCalls.class,
          HookCalls.class,
          SqlCalls.class,
          LocaleCalls.class,
          NetworkCalls.class,
          SecurityCalls.class,
          ManagementCalls.class,
          NativeCalls.class,
          LoaderCalls.class,
          ReflectCalls.class,
          FieldCalls.class,
          LookupCalls.class,
          NameCalls.class,
          CharsetCalls.class,
          XmlCalls.class,
          JulCalls.class,
          BeanCalls.class,
          HeapCalls.class);

  private final Map<String, Handle> methods = new HashMap<>();
  private final Map<String, Handle> fields = new HashMap<>();
  private final Map<String, Handle> preceding = new HashMap<>();
  private final Map<String, Handle> redirects = new HashMap<>();
  private final Set<String> owners = new HashSet<>();

  /** The table of what user classes may not do to the process. */
  CallTable() {
    this(SOURCES);
  }

  /** A table of the methods of some classes that are marked with {@link Replaces}. */
  CallTable(List<Class<?>> sources) {
    for (Class<?> source : sources) {
      for (Method m : source.getDeclaredMethods()) {
        Replaces r = m.getAnnotation(Replaces.class);
        if (r != null) {
          add(m, r);
        }
        Precedes p = m.getAnnotation(Precedes.class);
        if (p != null) {
          add(m, p);
        }
        Redirects d = m.getAnnotation(Redirects.class);
        if (d != null) {
          add(m, d);
        }
      }
    }
  }

  private void add(Method m, Replaces r) {
    String owner = Type.getInternalName(r.value());
    Handle ours = handle(m);
    owners.add(owner);
    Map<String, Handle> map = r.field() ? fields : methods;
    Handle before = map.put(key(owner, memberName(m, r), memberDescriptor(m, r)), ours);
    if (before != null) {
      throw new IllegalStateException(m + " and " + before + " stand for the same member");
    }
  }

  private void add(Method m, Precedes p) {
    String owner = Type.getInternalName(p.value());
    owners.add(owner);
    for (String name : p.names()) {
      preceding.put(owner + '.' + name, handle(m));
    }
  }

  private void add(Method m, Redirects d) {
    String owner = Type.getInternalName(d.value());
    owners.add(owner);
    Type[] parameters = Type.getArgumentTypes(m);
    Type[] arguments = Arrays.copyOfRange(parameters, 1, parameters.length);
    for (String name : d.names().length == 0 ? new String[] {m.getName()} : d.names()) {
      redirects.put(redirectKey(owner, name, arguments), handle(m));
    }
  }

  private static String redirectKey(String owner, String name, Type[] arguments) {
    return owner + '.' + name + Arrays.toString(arguments);
  }

  private static Handle handle(Method m) {
    return new Handle(
        Opcodes.H_INVOKESTATIC,
        Type.getInternalName(m.getDeclaringClass()),
        m.getName(),
        Type.getMethodDescriptor(m),
        false);
  }

  static String memberName(Method m, Replaces r) {
    if (r.constructor()) {
      return "<init>";
    }
    return r.name().isEmpty() ? m.getName() : r.name();
  }

  static String memberDescriptor(Method m, Replaces r) {
    if (r.field()) {
      return Type.getDescriptor(m.getReturnType());
    }
    Type[] parameters = Type.getArgumentTypes(m);
    if (r.receiver()) {
      parameters = Arrays.copyOfRange(parameters, 1, parameters.length);
    }
    return Type.getMethodDescriptor(
        r.constructor() ? Type.VOID_TYPE : Type.getReturnType(m), parameters);
  }

  private static String key(String owner, String name, String descriptor) {
    return owner + '.' + name + descriptor;
  }

  /** Whether members of this class are replaced. */
  boolean concerns(String owner) {
    return owners.contains(owner);
  }

  /** The stand-in of a method or constructor, or null. */
  Handle method(String owner, String name, String descriptor) {
    return owners.contains(owner) ? methods.get(key(owner, name, descriptor)) : null;
  }

  /** The stand-in of a read of a static field, or null. */
  Handle field(String owner, String name, String descriptor) {
    return owners.contains(owner) ? fields.get(key(owner, name, descriptor)) : null;
  }

  /** What is called before any method of that name, or null. */
  Handle before(String owner, String name) {
    return owners.contains(owner) ? preceding.get(owner + '.' + name) : null;
  }

  /** What says what a method is to be called with, or null; its result does not matter. */
  Handle redirect(String owner, String name, String descriptor) {
    return owners.contains(owner) && !redirects.isEmpty()
        ? redirects.get(redirectKey(owner, name, Type.getArgumentTypes(descriptor)))
        : null;
  }

  /** Whether a reference may be one to rewrite. */
  boolean contains(String owner, String name, String descriptor) {
    return owners.contains(owner)
        && (methods.containsKey(key(owner, name, descriptor))
            || fields.containsKey(key(owner, name, descriptor))
            || preceding.containsKey(owner + '.' + name)
            || descriptor.startsWith("(") && redirect(owner, name, descriptor) != null);
  }
}
