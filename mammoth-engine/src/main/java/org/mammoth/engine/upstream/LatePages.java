// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.util.Optional;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Has an ApplicationMaster's service for clients make its pages by a class of the MapReduce
 * binding, which makes them when somebody looks: upstream names its own class in a method that also
 * does everything else. Stateless.
 */
public final class LatePages {

  /** The class that is changed. */
  public static final String SERVICE = "org/apache/hadoop/mapreduce/v2/app/client/MRClientService";

  private static final String UPSTREAMS = "org/apache/hadoop/mapreduce/v2/app/webapp/AMWebApp";
  private static final String OURS = "org/mammoth/mapreduce/appmaster/LateWebApp";

  private LatePages() {}

  /** {@link #SERVICE} so changed; nothing if it makes no such pages. */
  public static Optional<byte[]> rewrite(byte[] original) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, 0);
    Pages pages = new Pages(writer);
    reader.accept(pages, 0);
    return pages.made == 1 && pages.started == 1
        ? Optional.of(writer.toByteArray())
        : Optional.empty();
  }

  /** Replaces one construction. */
  private static final class Pages extends ClassVisitor {
    private int made;
    private int started;

    Pages(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitTypeInsn(int opcode, String type) {
          boolean is = opcode == Opcodes.NEW && type.equals(UPSTREAMS);
          made += is ? 1 : 0;
          super.visitTypeInsn(opcode, is ? OURS : type);
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String method, String of, boolean isInterface) {
          boolean is = opcode == Opcodes.INVOKESPECIAL && owner.equals(UPSTREAMS);
          started += is ? 1 : 0;
          super.visitMethodInsn(opcode, is ? OURS : owner, method, of, isInterface);
        }
      };
    }
  }
}
