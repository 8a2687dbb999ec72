// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.mammoth.engine.statics.StaticsAgent;
import org.mammoth.engine.statics.StaticsRewriter;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Where shared classes call methods of the JDK that change the JVM, once they are rewritten. */
final class JdkCalls {

  /** {@code java/lang/System.setProperty} and the like. */
  private final Set<String> methods = new HashSet<>();

  private final StaticsRewriter rewriter;

  /**
   * Looks for calls of some methods.
   *
   * @param lines of the file of methods: a class and the names of its methods
   * @param rewriter rewrites classes as the engine's agent does
   */
  JdkCalls(List<String> lines, StaticsRewriter rewriter) {
    for (String line : lines) {
      String[] words = line.replaceFirst("#.*", "").trim().split("\\s+");
      for (int i = 1; i < words.length; i++) {
        methods.add(words[0].replace('.', '/') + '.' + words[i]);
      }
    }
    this.rewriter = rewriter;
  }

  /** An item for each class and method it calls. */
  List<Item> in(ClassFiles files) {
    List<Item> found = new ArrayList<>();
    for (String name : files.names()) {
      byte[] code = files.code(name);
      if (!called(code).isEmpty()) {
        for (String call : called(rewritten(name, code))) {
          found.add(new Item(name, call + "()", files.jar(name), "", Kind.CALL));
        }
      }
    }
    return found;
  }

  private byte[] rewritten(String name, byte[] code) {
    return StaticsAgent.isNeededHere(name) ? code : rewriter.rewrite(name, code);
  }

  /** The listed methods that a class calls, as {@code System.setProperty}. */
  private Set<String> called(byte[] code) {
    Set<String> found = new TreeSet<>();
    MethodVisitor inMethod =
        new MethodVisitor(Opcodes.ASM9) {
          @Override
          public void visitMethodInsn(
              int opcode, String owner, String called, String desc, boolean isInterface) {
            add(owner, called);
          }

          @Override
          public void visitInvokeDynamicInsn(
              String dynamic, String desc, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
              if (argument instanceof Handle handle) {
                add(handle.getOwner(), handle.getName());
              }
            }
          }

          private void add(String owner, String called) {
            if (methods.contains(owner + '.' + called)) {
              found.add(owner.substring(owner.lastIndexOf('/') + 1) + '.' + called);
            }
          }
        };
    new ClassReader(code)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String desc, String signature, String[] exceptions) {
                return inMethod;
              }
            },
            ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    return found;
  }
}
