// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.UserCode;
import org.mammoth.engine.isolation.standins.Follows;
import org.mammoth.engine.isolation.standins.Precedes;
import org.mammoth.engine.isolation.standins.Redirects;
import org.mammoth.engine.isolation.standins.Replaces;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LdcInsnNode;

/** What code refers to by {@code Class::method} acts as the plain call does. */
@Timeout(60)
class ReferencesTest {
  @TempDir private Path dir;

  private static final class Definer extends ClassLoader {
    Class<?> define(byte[] code) {
      return defineClass(null, code, 0, code.length);
    }
  }

  /** All public methods and constructors of the JDK's that the table has. */
  private static List<Handle> listed() {
    CallTable table = new CallTable();
    Set<Class<?>> owners = new LinkedHashSet<>();
    for (Class<?> source : CallTable.SOURCES) {
      for (Method each : source.getDeclaredMethods()) {
        Stream.of(each.getAnnotationsByType(Replaces.class)).forEach(a -> owners.add(a.value()));
        Stream.of(each.getAnnotationsByType(Precedes.class)).forEach(a -> owners.add(a.value()));
        Stream.of(each.getAnnotationsByType(Follows.class)).forEach(a -> owners.add(a.value()));
        Stream.of(each.getAnnotationsByType(Redirects.class)).forEach(a -> owners.add(a.value()));
      }
    }
    List<Handle> all = new ArrayList<>();
    for (Class<?> owner : owners) {
      boolean isMade = !Modifier.isAbstract(owner.getModifiers());
      Stream.concat(
              Arrays.stream(owner.getMethods()).filter(m -> m.getDeclaringClass() == owner),
              isMade ? Arrays.stream(owner.getConstructors()) : Stream.empty())
          .map(ReferencesTest::handle)
          .filter(h -> table.contains(h.getOwner(), h.getName(), h.getDesc()))
          .forEach(all::add);
    }
    return all;
  }

  private static Handle handle(Executable member) {
    Class<?> owner = member.getDeclaringClass();
    String name = Type.getInternalName(owner);
    if (member instanceof Constructor<?> made) {
      String descriptor = Type.getConstructorDescriptor(made);
      return new Handle(Opcodes.H_NEWINVOKESPECIAL, name, "<init>", descriptor, false);
    }
    int tag =
        Modifier.isStatic(member.getModifiers())
            ? Opcodes.H_INVOKESTATIC
            : owner.isInterface() ? Opcodes.H_INVOKEINTERFACE : Opcodes.H_INVOKEVIRTUAL;
    String descriptor = Type.getMethodDescriptor((Method) member);
    return new Handle(tag, name, member.getName(), descriptor, owner.isInterface());
  }

  private static byte[] holding(List<Handle> handles, boolean isInterface) {
    ClassWriter writer = new ClassWriter(0);
    int access = Opcodes.ACC_PUBLIC | (isInterface ? Opcodes.ACC_INTERFACE : 0);
    writer.visit(
        Opcodes.V11, access | Opcodes.ACC_ABSTRACT, "Holding", null, "java/lang/Object", null);
    for (int i = 0; i < handles.size(); i++) {
      MethodVisitor code =
          writer.visitMethod(
              Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC,
              "handle" + i,
              "()Ljava/lang/Object;",
              null,
              null);
      code.visitCode();
      code.visitLdcInsn(handles.get(i));
      code.visitInsn(Opcodes.ARETURN);
      code.visitMaxs(1, 0);
      code.visitEnd();
    }
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** Not one of them is left, and the class they stand in is one that the JVM takes. */
  @Test
  void noneOfWhatTheTableHasIsLeft() throws Exception {
    List<Handle> listed = listed();
    assertThat(listed).hasSizeGreaterThan(600);
    for (boolean isInterface : new boolean[] {false, true}) {
      byte[] code = CallRewriter.standard().rewrite(holding(listed, isInterface));
      ClassNode rewritten = new ClassNode();
      new ClassReader(code).accept(rewritten, 0);
      List<Object> left =
          rewritten.methods.stream()
              .flatMap(method -> Stream.of(method.instructions.toArray()))
              .filter(LdcInsnNode.class::isInstance)
              .map(each -> ((LdcInsnNode) each).cst)
              .toList();
      assertThat(left).hasSameSizeAs(listed).doesNotContainAnyElementsOf(listed);
      Class<?> type = new Definer().define(code);
      for (int i = 0; i < listed.size(); i++) {
        Handle was = listed.get(i);
        Object handle = type.getMethod("handle" + i).invoke(null);
        assertThat(((java.lang.invoke.MethodHandle) handle).type().toMethodDescriptorString())
            .as("%s", was)
            .isEqualTo(ReferenceBridges.descriptor(was, null));
      }
    }
  }

  private Task task(String name, String body) throws Exception {
    Path classes =
        UserCode.compile(
            dir,
            "import java.lang.invoke.*; import java.lang.reflect.Method;\n"
                + UserCode.function("Go", body),
            "public interface Asks { Supplier<Object> ASK = java.util.prefs.Preferences::userRoot;"
                    .replace("Supplier", "java.util.function.Supplier")
                + " }",
            "public class Own extends java.security.Provider {"
                + " public Own() { super(\"Own\", \"1\", \"\"); } }");
    return new Task(dir, name, classes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Supplier<Object> s = java.util.prefs.Preferences::userRoot; s.get(); | Preferences",
        "Asks.ASK.get(); | Preferences",
        "Consumer<java.net.Authenticator> c = java.net.Authenticator::setDefault; c.accept(null);"
            + "| Authenticator.setDefault",
        "java.util.function.Function<InputStream, java.beans.XMLDecoder> f = java.beans.XMLDecoder::new;"
            + " Supplier<Object> s = f.apply(new ByteArrayInputStream(new byte[0]))::readObject; s.get();"
            + "| XMLDecoder.readObject",
        "MethodHandles.lookup().findStatic(java.util.prefs.Preferences.class, \"userRoot\","
            + " MethodType.methodType(java.util.prefs.Preferences.class)).invoke(); | Preferences",
        "MethodHandles.lookup().unreflect(java.util.prefs.Preferences.class.getMethod(\"userRoot\"))"
            + ".invoke(); | Preferences",
        "MethodHandles.lookup().unreflect(java.net.UnixDomainSocketAddress.class.getMethod(\"of\","
            + " String.class)).invoke(\"relative\"); | UnixDomainSocketAddress.of",
        "Method m = java.util.prefs.Preferences.class.getMethod(\"userRoot\");"
            + " MethodHandles.lookup().unreflect(Method.class.getMethod(\"invoke\", Object.class,"
            + " Object[].class)).invoke(m, null, new Object[0]); | Preferences"
      })
  void needAProcessWhereTheCallsDo(String call, String what) throws Exception {
    String caught =
        "try { %s } catch (Error | Exception e) { throw e; } catch (Throwable e) { throw new Exception(e); }";
    try (Task task = task("one", caught.formatted(call) + " return \"on\";")) {
      assertThatThrownBy(() -> task.call("Go", "")).isInstanceOf(TaskExit.class);
      assertThat(task.events).singleElement().asString().contains("calls " + what);
    }
  }

  @Test
  void ofAnObjectOfAClassBelowAreTheSame() throws Exception {
    String body =
        "Own own = new Own(); BiFunction<Object, Object, Object> put = own::put;\n"
            + "put.apply(\"a\", \"b\"); return String.valueOf(own.get(\"a\"));";
    try (Task task = task("one", body)) {
      assertThat(task.call("Go", "")).isEqualTo("b");
      assertThat(task.events).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ServerSocket::new",
        "() -> (ServerSocket) ServerSocket.class.getConstructor().newInstance()",
        "() -> ServerSocket.class.newInstance()",
        "() -> new ServerSocket() {}",
        "() -> (ServerSocket) javax.net.ServerSocketFactory.class.getMethod(\"createServerSocket\")"
            + ".invoke(javax.net.ServerSocketFactory.getDefault())",
        "() -> { try { return (ServerSocket) MethodHandles.lookup().findConstructor(ServerSocket.class,"
            + " MethodType.methodType(void.class)).invoke(); }"
            + " catch (Throwable e) { throw new Exception(e); } }"
      })
  void socketsThatTheyOpenAreClosedWithTheTask(String makes) throws Exception {
    String body =
        "java.util.concurrent.Callable<ServerSocket> makes = "
            + makes
            + ";\nServerSocket socket = makes.call(); socket.bind(null);\n"
            + "return String.valueOf(socket.getLocalPort());";
    int port;
    Path classes =
        UserCode.compile(
            dir,
            "import java.lang.invoke.*; import java.net.ServerSocket;\n"
                + UserCode.function("Go", body));
    try (Task task = new Task(dir, "one", classes)) {
      port = Integer.parseInt(task.call("Go", ""));
      new Socket("localhost", port).close();
    }
    new ServerSocket(port).close();
  }
}
