// SPDX-License-Identifier: Apache-2.0
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
import org.objectweb.asm.Type;

/** Which classes use each static field, resolved to the class that declares it. */
final class Uses {

  private final Hierarchy hierarchy;

  /** Classes whose code names a field. */
  private final Map<FieldInfo, Set<String>> users = new HashMap<>();

  /** Fields that other code than their class's initialiser sets. */
  private final Set<FieldInfo> written = new HashSet<>();

  /** Classes that read fields of arrays, collections, maps, atomics. */
  private final Set<String> readersOfContainers = new TreeSet<>();

  /** Compilers' methods by which nested classes read a private field: {@code Class.access$000}. */
  private final Map<String, FieldInfo> accessors = new HashMap<>();

  /** Instance fields that are set when their object has been made: {@code Class.field}. */
  private final Set<String> setLater = new HashSet<>();

  Uses(ClassFiles files, Hierarchy hierarchy) {
    this.hierarchy = hierarchy;
    for (String name : files.names()) {
      new ClassReader(files.code(name))
          .accept(new InClass(name), ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    }
  }

  /** Whether code sets a field, other than its class's initialiser. */
  boolean isWritten(FieldInfo field) {
    return written.contains(field);
  }

  /** Whether only constructors of its class set an instance field, and reading of objects. */
  boolean isSetOnce(FieldInfo field) {
    return field.isFinal()
        || !field.isVisibleToJobs() && !setLater.contains(field.owner() + '.' + field.name());
  }

  /** The field that a compiler's method gives to nested classes, or null. */
  FieldInfo accessed(String owner, String method) {
    return method.startsWith("access$") ? accessors.get(owner + '.' + method) : null;
  }

  Set<String> readersOfContainers() {
    return readersOfContainers;
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

  private final class InClass extends ClassVisitor {
    private final String type;

    InClass(String type) {
      super(Opcodes.ASM9);
      this.type = type;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new InMethod(type, name, descriptor);
    }
  }

  private final class InMethod extends MethodVisitor {
    private final String type;
    private final String method;
    private final boolean accessor;

    InMethod(String type, String method, String descriptor) {
      super(Opcodes.ASM9);
      this.type = type;
      this.method = method;
      this.accessor = method.startsWith("access$") && descriptor.startsWith("()");
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
      if (writes) {
        if (!field.owner().equals(type) || !method.equals("<clinit>")) {
          written.add(field);
        }
      } else {
        if (Known.isContainer(Type.getType(descriptor).getInternalName())) {
          readersOfContainers.add(type);
        }
        if (accessor) {
          accessors.put(type + '.' + method, field);
        }
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (name.startsWith("access$")) {
        readersOfContainers.add(type);
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
