// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Classes as other versions of Hadoop have them: with other fields, compiled for another Java. */
class OtherVersionsTest {

  private static final String HOLDER = Holder.class.getName().replace('.', '/');
  private static final String USER = HOLDER + "$User";

  /** Its private field is used by a class within it, as javac allows from Java 11 on. */
  static final class Holder {
    private static int own = 1;

    static final class User {
      static int next() {
        return ++own;
      }
    }
  }

  private static byte[] file(String name) throws IOException {
    try (InputStream in = OtherVersionsTest.class.getResourceAsStream("/" + name + ".class")) {
      return in.readAllBytes();
    }
  }

  private static StaticsRewriter rewriter(String fields) {
    return new StaticsRewriter(
        StaticsTable.of("copy " + HOLDER + " " + fields), OtherVersionsTest.class.getClassLoader());
  }

  /** What the methods of a class name of the holder: fields, and methods that stand for them. */
  private static List<String> uses(byte[] code) {
    ClassNode type = new ClassNode();
    new ClassReader(code).accept(type, 0);
    List<String> found = new ArrayList<>();
    for (MethodNode method : type.methods) {
      for (AbstractInsnNode each : method.instructions) {
        if (each instanceof FieldInsnNode field && field.owner.equals(HOLDER)) {
          found.add(field.name);
        } else if (each instanceof MethodInsnNode call && call.owner.equals(HOLDER)) {
          found.add(call.name + "()");
        }
      }
    }
    return found;
  }

  @Test
  void aClassWithinAnotherAsksForTheTasksOwnValue() throws IOException {
    byte[] code = file(USER);
    assertThat(uses(code)).containsOnly("own");
    assertThat(uses(rewriter("own").rewrite(USER, code)))
        .hasSize(2)
        .allMatch(use -> use.contains("own") && use.endsWith("()"));
  }

  /** Such a class calls a method that the compiler has made; it could not call a private one. */
  @Test
  void aClassOfAnOlderJavaStaysAsItIs() throws IOException {
    byte[] code = file(USER);
    code[7] = Opcodes.V1_8;
    assertThat(rewriter("own").rewrite(USER, code)).isSameAs(code);
  }

  @Test
  void aClassOfSomeVersionsIsMarked() {
    StaticsTable table =
        StaticsTable.of(
            "referrer a.Referrer? a.Always",
            "remember a.Remembers? x.Missed",
            "copy a.Fields some? others?",
            "copy a.Holder some? each");
    assertThat(table.classes())
        .containsExactlyInAnyOrder("a/Referrer", "a/Always", "a/Remembers", "a/Fields", "a/Holder");
    assertThat(table.classes())
        .filteredOn(table::isOfSomeVersions)
        .containsExactlyInAnyOrder("a/Referrer", "a/Remembers", "a/Fields");
    assertThat(table.missedBy("a/Remembers")).containsExactly("x/Missed");
  }

  @Test
  void aFieldOfSomeVersionsMayBeMissing() throws IOException {
    ClassNode type = new ClassNode();
    new ClassReader(rewriter("own gone?").rewrite(HOLDER, file(HOLDER))).accept(type, 0);
    assertThat(type.methods)
        .extracting(method -> method.name)
        .anyMatch(name -> name.contains("own"))
        .noneMatch(name -> name.contains("gone"));
  }

  @Test
  void anyOtherMustBeThere() throws IOException {
    byte[] code = file(HOLDER);
    assertThatThrownBy(() -> rewriter("own gone").rewrite(HOLDER, code))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(HOLDER + " has no static field gone");
  }
}
