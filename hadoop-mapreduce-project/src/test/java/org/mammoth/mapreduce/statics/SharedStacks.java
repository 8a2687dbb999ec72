// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.mammoth.engine.isolation.TaskProcess;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Shared classes that load where the stack of the thread that needs them is nearly used up. */
final class SharedStacks {

  private static final String PACKAGE = "org/apache/hadoop/io";
  private static final String NAME = "Deep";
  private static final int CLASSES = 60;
  private static final int STACK = 1 << 20;

  private final List<Class<?>> defined = new ArrayList<>();
  private int next;

  private SharedStacks() {}

  /** Writes classes of Hadoop's that each ask for a property. */
  static Path write(Path folder) throws IOException {
    Path classes = Files.createDirectories(folder.resolve(PACKAGE));
    for (int i = 0; i < CLASSES; i++) {
      Files.write(classes.resolve(NAME + i + ".class"), file(i));
    }
    return folder;
  }

  static void check(Path folder) throws Exception {
    SharedStacks stacks = new SharedStacks();
    stacks.loadNext();
    TaskProcess task =
        TaskProcess.builder("deep")
            .environment(Map.of())
            .workDir(Files.createTempDirectory(folder, "task"))
            .property("mammoth.whose", "own")
            .listener(new SharedJvm.Ignored())
            .build();
    Thread deep = new Thread(task.threads(), () -> stacks.descend(1), "deep", STACK);
    deep.start();
    deep.join();
    SharedJvm.require(stacks.defined.size() == CLASSES, "only " + stacks.defined);
    SharedJvm.in(
        task,
        () -> {
          for (Class<?> type : stacks.defined) {
            Object whose = type.getMethod("whose").invoke(null);
            SharedJvm.require("own".equals(whose), type + " is as it was: " + whose);
          }
          return null;
        });
    task.close();
  }

  /** To the end of the stack; on the way back each frame has the next class loaded. */
  private int descend(int depth) {
    try {
      return descend(depth + 1) + 1;
    } catch (StackOverflowError end) {
      if (next < CLASSES) {
        loadNext();
        throw end;
      }
      return depth;
    }
  }

  private void loadNext() {
    try {
      String name = PACKAGE.replace('/', '.') + '.' + NAME + next;
      defined.add(Class.forName(name, false, SharedStacks.class.getClassLoader()));
      next++;
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] file(int number) {
    ClassWriter file = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    file.visit(
        Opcodes.V11,
        Opcodes.ACC_PUBLIC,
        PACKAGE + '/' + NAME + number,
        null,
        "java/lang/Object",
        null);
    MethodVisitor whose =
        file.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "whose", "()Ljava/lang/String;", null, null);
    whose.visitCode();
    whose.visitLdcInsn("mammoth.whose");
    whose.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        "java/lang/System",
        "getProperty",
        "(Ljava/lang/String;)Ljava/lang/String;",
        false);
    whose.visitInsn(Opcodes.ARETURN);
    whose.visitMaxs(0, 0);
    whose.visitEnd();
    file.visitEnd();
    return file.toByteArray();
  }
}
