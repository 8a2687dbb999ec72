// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.classfile;

import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Shared classes of which classes in jobs' jars that have the same package make objects, though
 * they or their constructors are the package's own: both are made public as they load, as another
 * loader's classes may not use them otherwise. Methods stay as they are, so that none is overridden
 * that was not. Stateless, thread-safe.
 */
public final class OpenedMates {
  /** What HBase makes metrics of, in each of its jobs that writes HFiles. */
  private static final Set<String> CLASSES =
      Set.of(
          "org/apache/hadoop/metrics2/lib/MetricsInfoImpl",
          "org/apache/hadoop/metrics2/lib/MutableGaugeInt",
          "org/apache/hadoop/metrics2/lib/MutableGaugeLong",
          "org/apache/hadoop/metrics2/lib/MutableRate");

  private static final int ACCESS =
      Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED | Opcodes.ACC_PRIVATE;

  private OpenedMates() {}

  /** Whether a class is one of them, by its name with slashes. */
  public static boolean has(String name) {
    return CLASSES.contains(name);
  }

  /** The class as it is to be defined. */
  public static byte[] open(byte[] code) {
    ClassReader reader = new ClassReader(code);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visit(
              int version,
              int access,
              String name,
              String signature,
              String parent,
              String[] interfaces) {
            super.visit(version, opened(access), name, signature, parent, interfaces);
          }

          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            int visible = name.equals("<init>") ? opened(access) : access;
            return super.visitMethod(visible, name, descriptor, signature, exceptions);
          }
        },
        0);
    return writer.toByteArray();
  }

  private static int opened(int access) {
    return (access & ACCESS) == 0 ? access | Opcodes.ACC_PUBLIC : access;
  }
}
