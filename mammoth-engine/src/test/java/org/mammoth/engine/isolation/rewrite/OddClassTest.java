// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.TaskExit;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.TypeReference;

/** Classes that the JVM takes though what it never reads of them is wrong. */
class OddClassTest {
  private static final byte LOCAL_VARIABLE = TypeReference.LOCAL_VARIABLE;

  @TempDir Path folder;

  /** A class whose only method asks for a property and has an annotated variable. */
  private static byte[] annotated() {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "Odd", null, "java/lang/Object", null);
    MethodVisitor method =
        writer.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "name", "()Ljava/lang/String;", null, null);
    Label start = new Label();
    Label end = new Label();
    method.visitCode();
    method.visitLdcInsn("odd.name");
    method.visitLabel(start);
    method.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        "java/lang/System",
        "getProperty",
        "(Ljava/lang/String;)Ljava/lang/String;",
        false);
    method.visitInsn(Opcodes.ARETURN);
    method.visitLabel(end);
    method
        .visitLocalVariableAnnotation(
            TypeReference.newTypeReference(TypeReference.LOCAL_VARIABLE).getValue(),
            null,
            new Label[] {start},
            new Label[] {end},
            new int[] {0},
            "LNullable;",
            true)
        .visitEnd();
    method.visitMaxs(0, 0);
    method.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** Where the annotation begins: its kind, one range, and the range's start, length and slot. */
  private static int annotation(byte[] code) {
    for (int i = 0; i + 8 < code.length; i++) {
      if (code[i] == LOCAL_VARIABLE
          && code[i + 1] == 0
          && code[i + 2] == 1
          && code[i + 3] == 0
          && code[i + 4] == 2
          && code[i + 5] == 0
          && code[i + 6] == 4) {
        return i;
      }
    }
    throw new AssertionError("no annotation");
  }

  private Task task(byte[] code) throws IOException {
    Files.write(folder.resolve("Odd.class"), code);
    return new Task(folder, "odd", folder);
  }

  @Test
  void aRangeThatEndsBehindTheCodeEndsWithIt() throws Exception {
    byte[] code = annotated();
    int at = annotation(code);
    code[at + 5] = (byte) 0xff;
    code[at + 6] = (byte) 0xff;
    try (Task task = task(code)) {
      Class<?> odd = task.loader.loadClass("Odd");
      assertThat(odd.getMethod("name").invoke(null)).isNull();
      assertThat(task.events).isEmpty();
    }
  }

  @Test
  void oneThatHasItsJvmToItselfHasTheClassAsItIs() throws Exception {
    byte[] code = annotated();
    code[annotation(code)] = 0x7f;
    try (Task task = task(code)) {
      task.alone = true;
      assertThat(task.loader.loadClass("Odd").getMethod("name").invoke(null)).isNull();
      assertThat(task.events).isEmpty();
    }
  }

  @Test
  void whatCannotBeRewrittenNeedsAProcess() throws Exception {
    byte[] code = annotated();
    code[annotation(code)] = 0x7f;
    try (Task task = task(code)) {
      assertThatThrownBy(() -> task.loader.loadClass("Odd")).isInstanceOf(TaskExit.class);
      assertThat(task.events)
          .singleElement()
          .asString()
          .startsWith("needs a process: its class Odd cannot be rewritten: ");
    }
  }
}
