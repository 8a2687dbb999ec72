// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.mammoth.engine.isolation.JdkProperties;
import org.mammoth.engine.isolation.classfile.MemberRefs;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * System properties that shared classes read while they are initialised: for all tasks, and from
 * the engine's. Of what an initialiser calls, the class's own methods are followed, those of
 * classes nested in it, and methods of others that take the property's name as their first
 * argument.
 */
final class ReadOnce {

  private static final String INITIALISER = "<clinit>";

  /** How descriptors begin of methods that may take a property's name. */
  private static final String NAMED = "(Ljava/lang/String;";

  /**
   * What the JVM says of itself and its machine, and what a process has read before any code of a
   * job's can set it.
   */
  private static final String FACTS =
      "(java|os|file|line|path|user|awt|sun|log4j)[.].*|hadoop[.](home|log)[.]dir";

  private final ClassFiles files;
  private final Set<String> readers =
      new HashSet<>(
          Set.of(
              "java/lang/System.getProperty",
              "java/lang/Integer.getInteger",
              "java/lang/Long.getLong",
              "java/lang/Boolean.getBoolean"));
  private final SortedSet<String> names = new TreeSet<>();

  /** Classes by the methods that they call, of those that take a string first. */
  private final Map<String, Set<String>> callers = new HashMap<>();

  private ReadOnce(ClassFiles files) {
    this.files = files;
    for (String name : files.names()) {
      MemberRefs.any(
          new ClassReader(files.code(name)),
          (owner, method, type) -> note(name, owner, method, type));
    }
  }

  private boolean note(String caller, String owner, String method, String type) {
    if (type.startsWith(NAMED)) {
      callers.computeIfAbsent(owner + '.' + method, m -> new HashSet<>()).add(caller);
    }
    return false;
  }

  /** The names, in order, without those that the JDK reads. */
  static SortedSet<String> names(ClassFiles files) {
    ReadOnce found = new ReadOnce(files);
    Set<String> asking = found.callersOf(found.readers);
    // Helpers of helpers, until none is new.
    for (Set<String> next = asking; !next.isEmpty(); asking.addAll(next)) {
      next = found.callersOf(found.readersIn(next));
    }
    asking.stream().filter(name -> !Item.isOurs(name)).forEach(found::addNamesOf);
    return found.names;
  }

  /** Adds the methods of classes that hand on their first argument; returns the new ones. */
  private Set<String> readersIn(Set<String> classes) {
    Set<String> more = new HashSet<>();
    for (String name : classes) {
      ClassNode type = read(name);
      for (MethodNode method : type.methods) {
        if (method.desc.startsWith(NAMED) && !method.name.startsWith("<")) {
          asks(type, method, (call, from) -> addReader(type, method, from, more));
        }
      }
    }
    more.removeAll(readers);
    readers.addAll(more);
    return more;
  }

  private Set<String> callersOf(Set<String> methods) {
    Set<String> callers = new HashSet<>();
    methods.forEach(method -> callers.addAll(this.callers.getOrDefault(method, Set.of())));
    return callers;
  }

  /** What no instruction of a method has made is one of its parameters. */
  private static void addReader(
      ClassNode type, MethodNode method, Set<AbstractInsnNode> from, Set<String> more) {
    if (from.isEmpty()) {
      more.add(type.name + '.' + method.name);
    }
  }

  private void addNamesOf(String name) {
    ClassNode type = read(name);
    Map<String, MethodNode> methods = new HashMap<>();
    type.methods.forEach(method -> methods.put(method.name + method.desc, method));
    Deque<MethodNode> left = new ArrayDeque<>(beginnings(type, methods.get(INITIALISER + "()V")));
    Set<MethodNode> seen = new HashSet<>(left);
    while (!left.isEmpty()) {
      MethodNode method = left.poll();
      asks(type, method, (call, from) -> from.forEach(this::addName));
      for (AbstractInsnNode each : method.instructions) {
        calleesOf(type.name, each).stream()
            .map(methods::get)
            .filter(next -> next != null && seen.add(next))
            .forEach(left::add);
      }
    }
  }

  private List<MethodNode> beginnings(ClassNode type, MethodNode initialiser) {
    if (initialiser != null) {
      return List.of(initialiser);
    }
    boolean isPart = type.name.contains("$") && files.code(outer(type.name)) != null;
    return isPart && isMadeAtOnce(type.name) ? type.methods : List.of();
  }

  private void addName(AbstractInsnNode maker) {
    if (maker instanceof LdcInsnNode constant && constant.cst instanceof String property) {
      if (!property.matches(FACTS) && !JdkProperties.reads(property) && !property.isBlank()) {
        names.add(property);
      }
    }
  }

  private static String outer(String name) {
    return name.substring(0, name.indexOf('$'));
  }

  /** Whether the initialiser of the class around one makes an object of it, such as an action. */
  private boolean isMadeAtOnce(String name) {
    for (MethodNode method : read(outer(name)).methods) {
      if (method.name.equals(INITIALISER)) {
        for (AbstractInsnNode each : method.instructions) {
          if (each.getOpcode() == Opcodes.NEW && ((TypeInsnNode) each).desc.equals(name)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static Set<String> calleesOf(String owner, AbstractInsnNode each) {
    Set<String> callees = new HashSet<>();
    if (each instanceof MethodInsnNode call && call.owner.equals(owner)) {
      callees.add(call.name + call.desc);
    } else if (each instanceof InvokeDynamicInsnNode lambda) {
      for (Object argument : lambda.bsmArgs) {
        if (argument instanceof Handle handle && handle.getOwner().equals(owner)) {
          callees.add(handle.getName() + handle.getDesc());
        }
      }
    }
    return callees;
  }

  /**
   * Tells of each call in a method that asks for a property, and of what made its first argument.
   */
  private void asks(
      ClassNode type, MethodNode method, BiConsumer<MethodInsnNode, Set<AbstractInsnNode>> told) {
    Flow flow = null;
    for (AbstractInsnNode each : method.instructions) {
      if (each instanceof MethodInsnNode call && isReader(call)) {
        flow = flow == null ? new Flow(type.name, method) : flow;
        told.accept(call, flow.makers(each, Type.getArgumentTypes(call.desc).length - 1));
      }
    }
  }

  private boolean isReader(MethodInsnNode call) {
    return call.desc.startsWith(NAMED) && readers.contains(call.owner + '.' + call.name);
  }

  private ClassNode read(String name) {
    ClassNode type = new ClassNode();
    new ClassReader(files.code(name)).accept(type, ClassReader.SKIP_DEBUG);
    return type;
  }
}
