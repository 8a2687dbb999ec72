// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census.link;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Which methods of some classes may run in a process that begins with certain ones: what they call,
 * however far, by the types that are made on the way (rapid type analysis). Whatever others may
 * call back, as it overrides a method of theirs, counts as called once its class is made.
 * Reflection is not seen: classes that are made by name belong to those to begin with. One thread.
 */
final class Reached {

  private record Method(String owner, String name, String descriptor) {}

  private final Map<String, ClassNode> own = new HashMap<>();
  private final Members members;
  private final Set<String> never;
  private final Set<Method> reached = new HashSet<>();
  private final Set<String> made = new HashSet<>();
  private final Set<String> called = new HashSet<>();
  private final Deque<Method> left = new ArrayDeque<>();

  /**
   * @param classes whose methods count, by internal name
   * @param all these and whatever they name
   * @param beginnings classes any method of which may be called
   * @param never classes that are not entered, as their callers ask first
   */
  Reached(
      Map<String, byte[]> classes,
      ClassPath all,
      Collection<String> beginnings,
      Set<String> never) {
    members = new Members(all);
    this.never = never;
    classes.forEach(
        (name, code) -> {
          ClassNode node = new ClassNode();
          new ClassReader(code).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
          own.put(name, node);
        });
    for (String name : beginnings) {
      ClassNode node = own.get(name);
      if (node == null) {
        throw new IllegalArgumentException("there is no class " + name + " to begin with");
      }
      make(name);
      node.methods.forEach(method -> reach(name, method.name, method.desc));
    }
    while (!left.isEmpty()) {
      follow(left.poll());
    }
  }

  /** Whether a method may run. */
  boolean contains(ClassNode owner, MethodNode method) {
    return reached.contains(new Method(owner.name, method.name, method.desc));
  }

  /** Of how many methods that is so. */
  int size() {
    return reached.size();
  }

  private void follow(Method at) {
    for (MethodNode method : own.get(at.owner()).methods) {
      if (method.name.equals(at.name()) && method.desc.equals(at.descriptor())) {
        method.instructions.forEach(this::follow);
      }
    }
  }

  private void follow(AbstractInsnNode instruction) {
    if (instruction instanceof MethodInsnNode call) {
      call(call.owner, call.name, call.desc);
    } else if (instruction instanceof FieldInsnNode use) {
      initialise(use.owner);
    } else if (instruction instanceof TypeInsnNode type && type.getOpcode() == Opcodes.NEW) {
      make(type.desc);
    } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      call(dynamic.bsm.getOwner(), dynamic.bsm.getName(), dynamic.bsm.getDesc());
      for (Object argument : dynamic.bsmArgs) {
        if (argument instanceof Handle handle && handle.getDesc().startsWith("(")) {
          if (handle.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
            make(handle.getOwner());
          }
          call(handle.getOwner(), handle.getName(), handle.getDesc());
        }
      }
    }
  }

  private void call(String owner, String name, String descriptor) {
    initialise(owner);
    members
        .method(owner, name, descriptor)
        .ifPresent(found -> reach(found.owner().name, name, descriptor));
    if (called.add(name + descriptor)) {
      for (String each : new ArrayList<>(made)) {
        reach(each, name, descriptor);
      }
    }
  }

  /** An object of a class is made: what it overrides may be called from now on. */
  private void make(String name) {
    if (!own.containsKey(name) || never.contains(name) || !made.add(name)) {
      return;
    }
    initialise(name);
    List<ClassNode> lineage = members.lineage(name);
    for (ClassNode above : lineage) {
      if (own.containsKey(above.name)) {
        made.add(above.name);
        initialise(above.name);
        for (MethodNode method : own.get(above.name).methods) {
          boolean isOurs = called.contains(method.name + method.desc);
          if (isOurs || overridesOthers(lineage, method)) {
            reach(above.name, method.name, method.desc);
          }
        }
      }
    }
  }

  private boolean overridesOthers(List<ClassNode> lineage, MethodNode method) {
    return !method.name.startsWith("<")
        && (method.access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0
        && lineage.stream()
            .filter(above -> !own.containsKey(above.name))
            .flatMap(above -> above.methods.stream())
            .anyMatch(above -> above.name.equals(method.name) && above.desc.equals(method.desc));
  }

  private void initialise(String name) {
    reach(name, "<clinit>", "()V");
  }

  private void reach(String owner, String name, String descriptor) {
    ClassNode node = own.get(owner);
    if (node == null || never.contains(owner)) {
      return;
    }
    boolean declares =
        node.methods.stream()
            .anyMatch(method -> method.name.equals(name) && method.desc.equals(descriptor));
    Method method = new Method(owner, name, descriptor);
    if (declares && reached.add(method)) {
      left.add(method);
    }
  }
}
