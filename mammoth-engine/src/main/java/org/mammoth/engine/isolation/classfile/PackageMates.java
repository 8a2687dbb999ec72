// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.classfile;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Looks for what a job's class uses of shared classes of its own package that is not public. On one
 * class path it may; by another class loader the JVM refuses it, or overrides nothing. For one
 * class, one thread.
 */
public final class PackageMates {
  private final ClassLoader shared;
  private final Predicate<String> isShared;
  private final String self;
  private final String folder;
  private final String parent;
  private final ClassReader reader;
  private final Map<String, ClassNode> known = new HashMap<>();

  /**
   * @param shared has the files of shared classes
   * @param isShared whether a class is shared, by its name with slashes
   */
  public PackageMates(byte[] code, ClassLoader shared, Predicate<String> isShared) {
    reader = new ClassReader(code);
    this.shared = shared;
    this.isShared = isShared;
    self = reader.getClassName();
    parent = reader.getSuperName();
    folder = self.substring(0, self.lastIndexOf('/') + 1);
  }

  /** What the class may not use in an engine, for people; null if there is nothing. */
  public String use() {
    String[] found = new String[1];
    MemberRefs.any(
        reader,
        (owner, name, descriptor) -> {
          if (found[0] == null && isMate(owner) && isHidden(owner, name, descriptor)) {
            found[0] = Type.getObjectType(owner).getClassName() + "." + name;
          }
          return found[0] != null;
        });
    return found[0] == null && isMate(parent) ? overridden() : found[0];
  }

  private boolean isMate(String owner) {
    return owner.startsWith(folder)
        && owner.indexOf('/', folder.length()) < 0
        && !owner.equals(self)
        && isShared.test(owner);
  }

  private boolean isHidden(String owner, String name, String descriptor) {
    if (OpenedMates.has(owner) && name.equals("<init>")) {
      return false;
    }
    for (String in = owner; in != null && in.startsWith(folder); in = node(in).superName) {
      ClassNode type = node(in);
      if (type == null) {
        return false;
      }
      if ((type.access & Opcodes.ACC_PUBLIC) == 0 && !OpenedMates.has(in)) {
        return true;
      }
      Integer access = access(type, name, descriptor);
      if (access != null) {
        boolean isInherited = (access & Opcodes.ACC_PROTECTED) != 0 && owner.equals(parent);
        return (access & Opcodes.ACC_PUBLIC) == 0 && !isInherited;
      }
    }
    return false;
  }

  private static Integer access(ClassNode type, String name, String descriptor) {
    for (MethodNode method : type.methods) {
      if (method.name.equals(name) && method.desc.equals(descriptor)) {
        return method.access;
      }
    }
    for (FieldNode field : type.fields) {
      if (field.name.equals(name) && field.desc.equals(descriptor)) {
        return field.access;
      }
    }
    return null;
  }

  private String overridden() {
    ClassNode type = node(parent);
    ClassNode own = new ClassNode();
    reader.accept(own, ClassReader.SKIP_CODE);
    int visible = Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED | Opcodes.ACC_PRIVATE;
    for (MethodNode method : own.methods) {
      Integer access =
          type == null || method.name.startsWith("<")
              ? null
              : access(type, method.name, method.desc);
      if (access != null && (access & visible) == 0) {
        return Type.getObjectType(parent).getClassName() + "." + method.name;
      }
    }
    return null;
  }

  private ClassNode node(String name) {
    if (!known.containsKey(name)) {
      ClassNode type = null;
      try (InputStream in = shared.getResourceAsStream(name + ".class")) {
        if (in != null) {
          type = new ClassNode();
          new ClassReader(in).accept(type, ClassReader.SKIP_CODE);
        }
      } catch (IOException unreadable) {
        type = null;
      }
      known.put(name, type);
    }
    return known.get(name);
  }
}
