// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.generated;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Which methods of a class write a static field, or read one that refers to something that can
 * change, themselves or through other methods of the class. Immutable.
 */
final class StaticState {
  private static final String[] CANNOT_CHANGE = {
    "Ljava/lang/String;",
    "Lorg/slf4j/Logger;",
    "Lorg/apache/commons/logging/Log;",
    "Ljava/lang/Class;"
  };

  private final Set<String> touching = new HashSet<>();
  private final Map<String, Set<String>> calls = new HashMap<>();

  private StaticState() {}

  static StaticState of(byte[] code) {
    StaticState state = new StaticState();
    ClassReader reader = new ClassReader(code);
    String owner = reader.getClassName();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] thrown) {
            return state.method(owner, name);
          }
        },
        ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return state;
  }

  private MethodVisitor method(String owner, String method) {
    return new MethodVisitor(Opcodes.ASM9) {
      @Override
      public void visitFieldInsn(int opcode, String of, String name, String type) {
        if (opcode == Opcodes.PUTSTATIC
            || opcode == Opcodes.GETSTATIC && type.startsWith("L") && canChange(type)) {
          touching.add(method);
        }
      }

      @Override
      public void visitMethodInsn(
          int opcode, String of, String name, String type, boolean isInterface) {
        if (of.equals(owner)) {
          calls.computeIfAbsent(method, any -> new HashSet<>()).add(name);
        }
      }
    };
  }

  private static boolean canChange(String type) {
    for (String each : CANNOT_CHANGE) {
      if (each.equals(type)) {
        return false;
      }
    }
    return true;
  }

  boolean isTouchedBy(String method) {
    Set<String> seen = new HashSet<>();
    Deque<String> left = new ArrayDeque<>();
    left.add(method);
    while (!left.isEmpty()) {
      String next = left.remove();
      if (touching.contains(next)) {
        return true;
      }
      if (seen.add(next)) {
        left.addAll(calls.getOrDefault(next, Set.of()));
      }
    }
    return false;
  }
}
