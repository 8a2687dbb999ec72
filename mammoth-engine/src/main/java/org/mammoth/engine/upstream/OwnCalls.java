// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Replaces what a class of Hadoop's calls of its own by static methods of ours that have the same
 * names; those that stand for methods of an object take it first. Whoever calls the class from
 * outside notices nothing. Members are told by name and descriptor. Immutable.
 *
 * @param ours has the methods that stand for others
 * @param owner internal name of Hadoop's class
 * @param calls what is replaced, everywhere in the class
 * @param parts what there must be in the class besides
 */
record OwnCalls(Class<?> ours, String owner, Set<String> calls, Set<String> parts) {

  /** The class so changed; nothing if it is not made as is known here. */
  Optional<byte[]> rewrite(byte[] original) {
    ClassReader reader = new ClassReader(original);
    Set<String> missing = new HashSet<>(parts);
    missing.addAll(calls);
    Set<String> unused = new HashSet<>(calls);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public FieldVisitor visitField(
              int access, String name, String descriptor, String signature, Object value) {
            missing.remove(name + descriptor);
            return super.visitField(access, name, descriptor, signature, value);
          }

          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            missing.remove(name + descriptor);
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return new Patch(next, unused);
          }
        },
        0);
    boolean known = missing.isEmpty() && unused.isEmpty();
    return known ? Optional.of(writer.toByteArray()) : Optional.empty();
  }

  /** Replaces the calls in one method. */
  private final class Patch extends MethodVisitor {
    private final Set<String> unused;

    Patch(MethodVisitor next, Set<String> unused) {
      super(Opcodes.ASM9, next);
      this.unused = unused;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String of, String name, String descriptor, boolean isInterface) {
      if (!of.equals(owner) || !calls.contains(name + descriptor)) {
        super.visitMethodInsn(opcode, of, name, descriptor, isInterface);
        return;
      }
      unused.remove(name + descriptor);
      boolean isStatic = opcode == Opcodes.INVOKESTATIC;
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          Type.getInternalName(ours),
          name,
          isStatic ? descriptor : "(L" + owner + ";" + descriptor.substring(1),
          false);
    }
  }
}
