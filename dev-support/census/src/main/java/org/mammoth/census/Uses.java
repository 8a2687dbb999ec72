package org.mammoth.census;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Which classes use each static field, resolved to the class that declares it. */
final class Uses {

  /** What is known of a field's uses. */
  static final class Of {
    private final Set<String> readers = new TreeSet<>();
    private final Set<String> writers = new TreeSet<>();
    private boolean initialised;

    /** Classes with code that reads it, or an accessor that gives it to nested classes. */
    Set<String> readers() {
      return readers;
    }

    /** {@code Class.method} that set it, but for its own class's initialiser. */
    Set<String> writers() {
      return writers;
    }

    /** Whether the class's initialiser sets it. */
    boolean initialised() {
      return initialised;
    }
  }

  private static final String INITIALISER = "<clinit>";
  private static final Of NONE = new Of();

  private final Hierarchy hierarchy;
  private final Map<FieldInfo, Of> uses = new HashMap<>();

  /** Compilers' methods by which nested classes read a private field: {@code Class.access$000}. */
  private final Map<String, FieldInfo> accessors = new HashMap<>();

  private final Map<FieldInfo, Set<String>> users = new HashMap<>();

  private final Map<String, Set<String>> accessorUsers = new HashMap<>();

  /** Instance fields that are set when their object has been made: {@code Class.field}. */
  private final Set<String> setLater = new HashSet<>();

  Uses(ClassFiles files, Hierarchy hierarchy) {
    this.hierarchy = hierarchy;
    for (String name : files.names()) {
      new ClassReader(files.code(name)).accept(new InClass(name), ClassReader.SKIP_FRAMES);
    }
    accessors.forEach(
        (method, field) ->
            of(field).readers.addAll(accessorUsers.getOrDefault(method, Set.of())));
  }

  Of of(FieldInfo field) {
    return uses.getOrDefault(field, NONE);
  }

  /** The field that a static method without parameters gives to nested classes, or null. */
  FieldInfo accessed(String owner, String method) {
    return accessors.get(owner + '.' + method);
  }

  /** Whether only constructors of its class set an instance field, and reading of objects. */
  boolean isSetOnce(FieldInfo field) {
    return field.isFinal()
        || !field.isVisibleToJobs() && !setLater.contains(field.owner() + '.' + field.name());
  }

  /** The classes whose code names certain fields. */
  Set<String> usersOf(Predicate<FieldInfo> which) {
    Set<String> found = new TreeSet<>();
    users.forEach(
        (field, classes) -> {
          if (which.test(field)) {
            found.addAll(classes);
          }
        });
    return found;
  }

  private Of use(FieldInfo field) {
    return uses.computeIfAbsent(field, f -> new Of());
  }

  private final class InClass extends ClassVisitor {
    private final String type;

    InClass(String type) {
      super(Opcodes.ASM9);
      this.type = type;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      boolean accessor =
          (access & Opcodes.ACC_SYNTHETIC) != 0
              && (access & Opcodes.ACC_STATIC) != 0
              && name.startsWith("access$")
              && descriptor.startsWith("()");
      return new InMethod(type, name, accessor);
    }
  }

  private final class InMethod extends MethodVisitor {
    private final String type;
    private final String method;
    private final boolean accessor;

    InMethod(String type, String method, boolean accessor) {
      super(Opcodes.ASM9);
      this.type = type;
      this.method = method;
      this.accessor = accessor;
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      if (opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC) {
        count(opcode == Opcodes.PUTSTATIC, owner, name, descriptor);
      } else if (opcode == Opcodes.PUTFIELD
          && !(owner.equals(type) && (method.equals("<init>") || method.equals("readObject")))) {
        setLater.add(owner + '.' + name);
      }
    }

    private void count(boolean writes, String owner, String name, String descriptor) {
      FieldInfo field = hierarchy.resolve(owner, name, descriptor);
      if (field == null) {
        return;
      }
      users.computeIfAbsent(field, f -> new TreeSet<>()).add(type);
      Of uses = use(field);
      if (!writes) {
        uses.readers.add(type);
        if (accessor) {
          accessors.put(type + '.' + method, field);
        }
      } else if (field.owner().equals(type) && method.equals(INITIALISER)) {
        uses.initialised = true;
      } else {
        uses.writers.add(type + '.' + method);
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (opcode == Opcodes.INVOKESTATIC
          && name.startsWith("access$")
          && descriptor.startsWith("()")) {
        accessorUsers.computeIfAbsent(owner + '.' + name, m -> new TreeSet<>()).add(type);
      }
    }

    @Override
    public void visitLdcInsn(Object value) {
      handle(value);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      for (Object argument : arguments) {
        handle(argument);
      }
    }

    private void handle(Object value) {
      if (value instanceof Handle handle
          && (handle.getTag() == Opcodes.H_GETSTATIC || handle.getTag() == Opcodes.H_PUTSTATIC)) {
        count(true, handle.getOwner(), handle.getName(), handle.getDesc());
      }
    }
  }
}
