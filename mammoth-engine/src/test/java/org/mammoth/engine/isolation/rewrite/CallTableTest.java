// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.isolation.standins.Follows;
import org.mammoth.engine.isolation.standins.ParentCalls;
import org.mammoth.engine.isolation.standins.Replaces;
import org.mammoth.engine.isolation.standins.files.NameCalls;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;

class CallTableTest {
  private final CallTable table = new CallTable();

  private static Stream<Method> standIns() {
    return CallTable.SOURCES.stream()
        .flatMap(c -> Arrays.stream(c.getDeclaredMethods()))
        .filter(m -> m.isAnnotationPresent(Replaces.class));
  }

  @Test
  void everyStandInStandsForAMemberThatExists() {
    assertThat(standIns()).hasSizeGreaterThan(150).allSatisfy(CallTableTest::standsForARealMember);
  }

  private static void standsForARealMember(Method m) throws Exception {
    Replaces r = m.getAnnotation(Replaces.class);
    String name = memberName(m, r);
    String descriptor = memberDescriptor(m, r);
    if (r.field()) {
      assertThat(r.value().getField(name).getType()).isEqualTo(m.getReturnType());
    } else if (r.constructor()) {
      assertThat(r.value().getConstructors())
          .extracting(Type::getConstructorDescriptor)
          .contains(descriptor);
      assertThat(m.getReturnType()).isEqualTo(r.value());
    } else {
      assertThat(r.value().getMethods())
          .filteredOn(
              x -> x.getName().equals(name) && Type.getMethodDescriptor(x).equals(descriptor))
          .hasSize(1)
          .allMatch(x -> Modifier.isStatic(x.getModifiers()) != r.receiver());
    }
  }

  private static String memberName(Method m, Replaces r) {
    if (r.constructor()) {
      return "<init>";
    }
    return r.name().isEmpty() ? m.getName() : r.name();
  }

  private static String memberDescriptor(Method m, Replaces r) {
    if (r.field()) {
      return Type.getDescriptor(m.getReturnType());
    }
    Type[] parameters = Type.getArgumentTypes(m);
    if (r.receiver()) {
      parameters = Arrays.copyOfRange(parameters, 1, parameters.length);
    }
    return Type.getMethodDescriptor(
        r.constructor() ? Type.VOID_TYPE : Type.getReturnType(m), parameters);
  }

  @Test
  void whatFollowsFollowsMembersThatMakeSomethingToClose() {
    List<Method> following =
        CallTable.SOURCES.stream()
            .flatMap(c -> Arrays.stream(c.getDeclaredMethods()))
            .filter(m -> m.isAnnotationPresent(Follows.class))
            .toList();
    assertThat(following).hasSizeGreaterThan(10);
    for (Method m : following) {
      Follows f = m.getAnnotation(Follows.class);
      for (String name : f.names()) {
        Stream<Class<?>> made =
            name.equals("<init>")
                ? Stream.of(f.value())
                : Arrays.stream(f.value().getMethods())
                    .filter(x -> x.getName().equals(name))
                    .map(Method::getReturnType);
        assertThat(made)
            .as(m + " after " + name)
            .isNotEmpty()
            .allMatch(m.getParameterTypes()[0]::isAssignableFrom);
      }
    }
  }

  @Test
  void theTableIsReadFromTheFiles() {
    assertThat(standIns())
        .allSatisfy(
            m -> {
              Replaces r = m.getAnnotation(Replaces.class);
              String owner = Type.getInternalName(r.value());
              String name = memberName(m, r);
              Handle found =
                  r.field()
                      ? table.field(owner, name, memberDescriptor(m, r))
                      : table.method(owner, name, memberDescriptor(m, r));
              assertThat(found.getOwner()).isEqualTo(Type.getInternalName(m.getDeclaringClass()));
              assertThat(found.getName() + found.getDesc())
                  .isEqualTo(m.getName() + Type.getMethodDescriptor(m));
            });
  }

  @Test
  void aPatchedConstructorTakesItsNameFirstAndAtMostThreeNarrowArgumentsOrThoseThatAreHeld() {
    List<Method> patched =
        standIns()
            .filter(m -> m.getAnnotation(Replaces.class).constructor())
            .filter(
                m -> m.getReturnType() != File.class && m.getReturnType() != ProcessBuilder.class)
            .filter(m -> m.getDeclaringClass() != ParentCalls.class)
            .collect(Collectors.toList());
    assertThat(patched)
        .hasSizeGreaterThan(20)
        .allMatch(
            m -> m.getParameterTypes()[0] == String.class || m.getParameterTypes()[0] == Path.class)
        .allMatch(m -> isNarrow(m) || isHeld(m));
  }

  private static boolean isNarrow(Method standIn) {
    return standIn.getParameterCount() <= 3
        && !Arrays.asList(standIn.getParameterTypes()).contains(long.class);
  }

  private static boolean isHeld(Method standIn) {
    Class<?>[] all = standIn.getParameterTypes();
    try {
      return NameCalls.class.getMethod("hold", Arrays.copyOfRange(all, 1, all.length)) != null;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  @Test
  void noConstructorOfALoaderIsForgotten() {
    for (Class<?> type :
        List.of(ClassLoader.class, SecureClassLoader.class, URLClassLoader.class)) {
      assertThat(ParentCalls.isLoader(Type.getInternalName(type))).isTrue();
      for (Constructor<?> each : type.getDeclaredConstructors()) {
        boolean isPublic = Modifier.isPublic(each.getModifiers());
        if (isPublic || Modifier.isProtected(each.getModifiers())) {
          Type[] arguments = Type.getArgumentTypes(Type.getConstructorDescriptor(each));
          assertThat(ParentCalls.afterParent(arguments)).as("%s", each).isBetween(-1, 1);
        }
        assertThat(StandIns.standard().maker(each) != null).as("%s", each).isEqualTo(isPublic);
      }
    }
  }

  @Test
  void noMethodOfFilesIsForgotten() {
    List<Method> all =
        Arrays.stream(Files.class.getMethods())
            .filter(m -> Modifier.isStatic(m.getModifiers()))
            .filter(
                m ->
                    Arrays.asList(m.getParameterTypes()).contains(Path.class)
                        || m.getName().startsWith("createTemp"))
            .collect(Collectors.toList());
    assertThat(all).hasSizeGreaterThan(60).allMatch(this::isReplaced);
  }

  @Test
  void noConstructorThatOpensAFileByItsNameIsForgotten() {
    List<Class<?>> openers =
        List.of(
            java.io.FileInputStream.class,
            java.io.FileOutputStream.class,
            java.io.FileReader.class,
            java.io.FileWriter.class,
            java.io.RandomAccessFile.class,
            java.io.PrintWriter.class,
            java.io.PrintStream.class,
            java.util.Formatter.class,
            java.util.zip.ZipFile.class,
            java.util.jar.JarFile.class,
            File.class);
    List<Constructor<?>> all =
        openers.stream()
            .flatMap(c -> Arrays.stream(c.getConstructors()))
            .filter(c -> c.getParameterCount() > 0 && c.getParameterTypes()[0] == String.class)
            .collect(Collectors.toList());
    assertThat(all).hasSizeGreaterThan(20).allMatch(this::isReplaced);
  }

  private boolean isReplaced(Executable e) {
    String owner = Type.getInternalName(e.getDeclaringClass());
    return e instanceof Method
        ? table.contains(owner, e.getName(), Type.getMethodDescriptor((Method) e))
        : table.contains(owner, "<init>", Type.getConstructorDescriptor((Constructor<?>) e));
  }
}
