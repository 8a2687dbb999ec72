// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class RewriterSelfTestTest {

  private static final String READER = "org/objectweb/asm/ClassReader";

  /** This JVM's class path without ASM, but for the classes it is given. */
  private static final class WithoutAsm extends URLClassLoader {
    WithoutAsm() {
      super(classPath(), ClassLoader.getPlatformClassLoader());
    }

    private static URL[] classPath() {
      List<URL> urls = new ArrayList<>();
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
        if (!new File(entry).getName().startsWith("asm")) {
          try {
            urls.add(new File(entry).toURI().toURL());
          } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
          }
        }
      }
      return urls.toArray(new URL[0]);
    }

    void define(byte[] code) {
      defineClass(null, code, 0, code.length);
    }

    Optional<?> failure() throws ReflectiveOperationException {
      Class<?> test = loadClass(RewriterSelfTest.class.getName());
      return (Optional<?>) test.getMethod("failure").invoke(null);
    }
  }

  @Test
  void passesHere() {
    assertThat(RewriterSelfTest.failure()).isEmpty();
  }

  @Test
  void saysThatAsmIsMissing() throws Exception {
    try (WithoutAsm loader = new WithoutAsm()) {
      assertThat(loader.failure().map(Object::toString))
          .hasValueSatisfying(
              said -> assertThat(said).contains("ASM is missing").contains("objectweb"));
    }
  }

  @Test
  void noticesAnAsmThatDoesNotKnowTheClasses() throws Exception {
    try (WithoutAsm loader = new WithoutAsm()) {
      loader.define(refusingReader());
      assertThat(loader.failure().map(Object::toString))
          .hasValueSatisfying(said -> assertThat(said).contains("ASM"));
    }
  }

  /** A ClassReader as old ones are: it takes no class that is newer. */
  private static byte[] refusingReader() {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, READER, null, "java/lang/Object", null);
    MethodVisitor code =
        writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "([B)V", null, new String[0]);
    String refusal = "java/lang/IllegalArgumentException";
    code.visitCode();
    code.visitTypeInsn(Opcodes.NEW, refusal);
    code.visitInsn(Opcodes.DUP);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, refusal, "<init>", "()V", false);
    code.visitInsn(Opcodes.ATHROW);
    code.visitMaxs(2, 2);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }
}
