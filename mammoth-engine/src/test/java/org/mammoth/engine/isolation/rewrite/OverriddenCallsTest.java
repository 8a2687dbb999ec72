// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.isolation.standins.Replaces;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A job may have a subclass that overrides a method for which there is a stand-in: whoever calls it
 * must come to the subclass's. Read from the stand-ins' code: each calls the very method that it
 * stands for, or is one of those of which a reason is known here.
 */
class OverriddenCallsTest {

  private static final Set<String> KNOWN =
      Set.of(
          // What SharedResources asks, which is the loader but for the one that has Hadoop's
          // classes.
          "ClassLoader.getResource(Ljava/lang/String;)Ljava/net/URL;",
          // Nobody can make a subclass of Runtime.
          "Runtime.exec(Ljava/lang/String;)Ljava/lang/Process;",
          "Runtime.exec(Ljava/lang/String;[Ljava/lang/String;)Ljava/lang/Process;",
          "Runtime.exec([Ljava/lang/String;)Ljava/lang/Process;",
          "Runtime.exec([Ljava/lang/String;[Ljava/lang/String;)Ljava/lang/Process;",
          // There is one in a JVM, which is the JDK's.
          "ThreadMXBean.dumpAllThreads(ZZ)[Ljava/lang/management/ThreadInfo;");

  @Test
  void eachStandInComesToTheMethodItStandsFor() {
    Set<String> without = new TreeSet<>();
    for (Class<?> source : CallTable.SOURCES) {
      for (Method standIn : source.getDeclaredMethods()) {
        Replaces of = standIn.getAnnotation(Replaces.class);
        if (of != null && of.receiver() && isOverridable(standIn, of) && !calls(standIn, of)) {
          without.add(
              of.value().getSimpleName() + "." + nameOf(standIn, of) + descriptorOf(standIn));
        }
      }
    }
    assertThat(without).isEqualTo(new TreeSet<>(KNOWN));
  }

  private static String nameOf(Method standIn, Replaces of) {
    return of.name().isEmpty() ? standIn.getName() : of.name();
  }

  private static String descriptorOf(Method standIn) {
    Type[] all = Type.getArgumentTypes(standIn);
    return Type.getMethodDescriptor(
        Type.getReturnType(standIn), Arrays.copyOfRange(all, 1, all.length));
  }

  private static boolean isOverridable(Method standIn, Replaces of) {
    Class<?>[] all = standIn.getParameterTypes();
    try {
      Method member =
          of.value().getMethod(nameOf(standIn, of), Arrays.copyOfRange(all, 1, all.length));
      return !Modifier.isFinal(member.getModifiers())
          && !Modifier.isFinal(of.value().getModifiers());
    } catch (NoSuchMethodException e) {
      throw new AssertionError(standIn + " stands for nothing", e);
    }
  }

  /** Whether the stand-in, or what it calls of its own class, calls the member. */
  private static boolean calls(Method standIn, Replaces of) {
    ClassNode type = read(standIn.getDeclaringClass());
    String member = nameOf(standIn, of) + descriptorOf(standIn);
    Deque<String> left = new ArrayDeque<>();
    left.add(standIn.getName() + Type.getMethodDescriptor(standIn));
    Set<String> seen = new HashSet<>(left);
    while (!left.isEmpty()) {
      String next = left.poll();
      for (MethodNode method : type.methods) {
        if (!next.equals(method.name + method.desc)) {
          continue;
        }
        for (AbstractInsnNode each : method.instructions) {
          for (String[] callee : calleesOf(each)) {
            if (!callee[0].equals(type.name) && callee[1].equals(member)) {
              return true;
            }
            if (callee[0].equals(type.name) && seen.add(callee[1])) {
              left.add(callee[1]);
            }
          }
        }
      }
    }
    return false;
  }

  private static List<String[]> calleesOf(AbstractInsnNode each) {
    if (each instanceof MethodInsnNode call) {
      return List.<String[]>of(new String[] {call.owner, call.name + call.desc});
    }
    if (each instanceof InvokeDynamicInsnNode lambda) {
      return Arrays.stream(lambda.bsmArgs)
          .filter(Handle.class::isInstance)
          .map(Handle.class::cast)
          .map(handle -> new String[] {handle.getOwner(), handle.getName() + handle.getDesc()})
          .toList();
    }
    return List.of();
  }

  private static ClassNode read(Class<?> type) {
    ClassNode node = new ClassNode();
    try (InputStream in = type.getResourceAsStream("/" + Type.getInternalName(type) + ".class")) {
      new ClassReader(in.readAllBytes()).accept(node, ClassReader.SKIP_DEBUG);
      return node;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
