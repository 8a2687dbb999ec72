// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Which static fields refer to an array, collection, map or atomic that a method changes, other
 * than the initialiser of the field's class. Finds {@code FIELD.put(..)}, {@code
 * FIELD.get(..).add(..)}, {@code FIELD[i] = ..} and their like; not what becomes of a container
 * that is given away.
 */
final class Changes {

  private static final Pattern CHANGING =
      Pattern.compile(
          "(put|add|remove|set|clear|push|pop|poll|offer|insert|replace|compute|merge|getAnd|"
              + "compareAnd|increment|decrement|update|accumulate|retain|sort|delete|reset|"
              + "invalidate|lazySet).*");

  private static final int DEPTH = 4;

  private final Uses uses;
  private final Hierarchy hierarchy;
  private final Set<FieldInfo> changed = new HashSet<>();

  Changes(ClassFiles files, Hierarchy hierarchy, Uses uses) {
    this.hierarchy = hierarchy;
    this.uses = uses;
    for (String name : uses.readersOfContainers()) {
      ClassNode type = new ClassNode();
      new ClassReader(files.code(name)).accept(type, ClassReader.SKIP_DEBUG);
      for (MethodNode method : type.methods) {
        read(type.name, method);
      }
    }
  }

  boolean has(FieldInfo field) {
    return changed.contains(field);
  }

  private void read(String type, MethodNode method) {
    Flow flow = null;
    boolean initialiser = method.name.equals("<clinit>");
    boolean reads = false;
    for (AbstractInsnNode each : method.instructions) {
      reads |= source(each) != null;
    }
    for (AbstractInsnNode each : method.instructions) {
      int depth = reads ? changedOperand(each) : -1;
      if (depth >= 0) {
        flow = flow == null ? new Flow(type, method) : flow;
        for (AbstractInsnNode maker : flow.makers(each, depth)) {
          FieldInfo field = origin(flow, maker, DEPTH);
          if (field != null && !(initialiser && field.owner().equals(type))) {
            changed.add(field);
          }
        }
      }
    }
  }

  /** How many values lie above the container that an instruction changes; -1 if it changes none. */
  private static int changedOperand(AbstractInsnNode each) {
    if (each.getOpcode() >= Opcodes.IASTORE && each.getOpcode() <= Opcodes.SASTORE) {
      return 2;
    }
    if (!(each instanceof MethodInsnNode call)) {
      return -1;
    }
    int arguments = Type.getArgumentTypes(call.desc).length;
    if (call.getOpcode() != Opcodes.INVOKESTATIC) {
      return Known.isContainer(call.owner) && CHANGING.matcher(call.name).matches()
          ? arguments
          : -1;
    }
    return switch (call.owner + '.' + call.name) {
      case "java/lang/System.arraycopy" -> 2;
      case "java/util/Arrays.fill", "java/util/Arrays.sort" -> arguments - 1;
      case "java/util/Collections.addAll", "java/util/Collections.sort" -> arguments - 1;
      default -> -1;
    };
  }

  /** The field that a value comes from, maybe as an element of it. */
  private FieldInfo origin(Flow flow, AbstractInsnNode maker, int depth) {
    FieldInfo field = source(maker);
    if (field != null || depth == 0) {
      return field;
    }
    int container = -1;
    if (maker.getOpcode() == Opcodes.AALOAD) {
      container = 1;
    } else if (maker instanceof MethodInsnNode call
        && call.getOpcode() != Opcodes.INVOKESTATIC
        && Known.isContainer(call.owner)) {
      container = Type.getArgumentTypes(call.desc).length;
    }
    if (container >= 0) {
      for (AbstractInsnNode next : flow.makers(maker, container)) {
        FieldInfo found = origin(flow, next, depth - 1);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /** The static field that an instruction reads, itself or by a compiler's accessor, or null. */
  private FieldInfo source(AbstractInsnNode each) {
    if (each.getOpcode() == Opcodes.GETSTATIC) {
      FieldInsnNode get = (FieldInsnNode) each;
      return hierarchy.resolve(get.owner, get.name, get.desc);
    }
    return each.getOpcode() == Opcodes.INVOKESTATIC
        ? uses.accessed(((MethodInsnNode) each).owner, ((MethodInsnNode) each).name)
        : null;
  }
}
