// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census.link;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** Checks the classes of some jars against a class path. */
public final class LinkCheck {

  private static final Set<String> MAKES_ITSELF = Set.of("<init>", "<clinit>");

  private final Members there;
  private final Members built;
  private final ClassPath classes;
  private final BiPredicate<ClassNode, MethodNode> runs;
  private final Set<String> problems = new TreeSet<>();

  private LinkCheck(
      ClassPath classes, ClassPath builtWith, BiPredicate<ClassNode, MethodNode> runs) {
    this.classes = classes;
    this.runs = runs;
    this.there = new Members(classes);
    this.built = new Members(builtWith);
  }

  /**
   * Prints what does not link, a line each.
   *
   * @param args folder of the jars to check; a file with the class path of the other version; one
   *     with that of the version they were built with
   */
  public static void main(String[] args) throws IOException {
    List<Path> ours = ours(Path.of(args[0]));
    problems(
            ours,
            new ClassPath(with(ours, args[1]), Platform.ofThisJvm()),
            new ClassPath(with(ours, args[2]), Platform.ofThisJvm()),
            (owner, method) -> true)
        .forEach(System.out::println);
  }

  /** The jars of ours in a folder. */
  static List<Path> ours(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("(mammoth|mpcache)-.*\\.jar"))
          .sorted()
          .toList();
    }
  }

  private static List<Path> with(List<Path> ours, String file) throws IOException {
    List<Path> jars = new ArrayList<>(ours);
    Arrays.stream(Files.readString(Path.of(file)).trim().split(":"))
        .map(Path::of)
        .forEach(jars::add);
    return jars;
  }

  /**
   * What of some jars does not link, sorted.
   *
   * @param there they are to be loaded with, themselves among them
   * @param builtWith the same where all links
   * @param runs which methods count; of others in the same class, only the classes they name
   */
  static Set<String> problems(
      List<Path> jars,
      ClassPath there,
      ClassPath builtWith,
      BiPredicate<ClassNode, MethodNode> runs)
      throws IOException {
    LinkCheck check = new LinkCheck(there, builtWith, runs);
    for (Path jar : jars) {
      for (Map.Entry<String, byte[]> each : ClassPath.classesOf(jar).entrySet()) {
        check.check(each.getValue());
      }
    }
    return check.problems;
  }

  private void check(byte[] code) {
    ClassNode node = new ClassNode();
    new ClassReader(code).accept(node, ClassReader.SKIP_DEBUG);
    List<MethodNode> running =
        node.methods.stream().filter(method -> runs.test(node, method)).toList();
    if (running.isEmpty() && !node.methods.isEmpty()) {
      return;
    }
    for (MethodNode method : node.methods) {
      boolean isRunning = running.contains(method);
      for (AbstractInsnNode instruction : method.instructions) {
        if (isRunning) {
          check(node, instruction);
        } else {
          // To verify a class, the JVM may load what any of its methods names.
          named(node, instruction);
        }
      }
      if (isRunning) {
        overrides(node, method);
      }
    }
    if (node.superName != null && classes.find(node.superName).isEmpty()) {
      problem(node, "extends " + node.superName + ", which is not there");
    }
    if ((node.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) == 0) {
      complete(node);
    }
  }

  private void check(ClassNode from, AbstractInsnNode instruction) {
    if (instruction instanceof MethodInsnNode call) {
      method(from, call.owner, call.name, call.desc, call.getOpcode() == Opcodes.INVOKESTATIC);
    } else if (instruction instanceof FieldInsnNode use) {
      boolean isStatic =
          use.getOpcode() == Opcodes.GETSTATIC || use.getOpcode() == Opcodes.PUTSTATIC;
      member(
          from,
          use.owner,
          use.name,
          there.field(use.owner, use.name, use.desc),
          use.name + " of type " + Type.getType(use.desc).getClassName(),
          isStatic);
    } else if (instruction instanceof TypeInsnNode type) {
      exists(from, type.desc);
    } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      Handle bootstrap = dynamic.bsm;
      method(from, bootstrap.getOwner(), bootstrap.getName(), bootstrap.getDesc(), true);
      for (Object argument : dynamic.bsmArgs) {
        if (argument instanceof Handle handle && handle.getDesc().startsWith("(")) {
          method(
              from,
              handle.getOwner(),
              handle.getName(),
              handle.getDesc(),
              handle.getTag() == Opcodes.H_INVOKESTATIC);
        }
      }
    }
  }

  private void named(ClassNode from, AbstractInsnNode instruction) {
    if (instruction instanceof MethodInsnNode call) {
      exists(from, call.owner);
    } else if (instruction instanceof FieldInsnNode use) {
      exists(from, use.owner);
    } else if (instruction instanceof TypeInsnNode type) {
      exists(from, type.desc);
    }
  }

  private void method(ClassNode from, String owner, String name, String descriptor, boolean still) {
    member(
        from,
        owner,
        name,
        there.method(owner, name, descriptor),
        signature(name, descriptor),
        still);
  }

  private boolean exists(ClassNode from, String name) {
    String element =
        name.startsWith("[") ? Type.getType(name).getElementType().getInternalName() : name;
    if (name.startsWith("[") && Type.getType(name).getElementType().getSort() != Type.OBJECT) {
      return true;
    }
    Optional<ClassNode> type = classes.find(element);
    if (type.isEmpty()) {
      problem(from, "names " + element + ", which is not there");
      return false;
    }
    if ((type.get().access & Opcodes.ACC_PUBLIC) == 0 && !room(element).equals(room(from.name))) {
      problem(from, "names " + element + ", which is of its package only");
    }
    return true;
  }

  private void member(
      ClassNode from,
      String owner,
      String name,
      Optional<Members.Found> found,
      String text,
      boolean isStatic) {
    if (!exists(from, owner)) {
      return;
    }
    if (found.isEmpty()) {
      problem(from, "uses " + owner + "." + text + ", which is not there");
      return;
    }
    Members.Found member = found.get();
    if (member.isStatic() != isStatic && !MAKES_ITSELF.contains(name)) {
      problem(from, "uses " + owner + "." + text + ", which is static in one version only");
    }
    if (!mayUse(from, member)) {
      problem(from, "uses " + member.owner().name + "." + text + ", which it may not");
    }
  }

  private boolean mayUse(ClassNode from, Members.Found member) {
    String owner = member.owner().name;
    if (member.isPrivate()) {
      return outermost(owner).equals(outermost(from.name));
    }
    if ((member.access() & Opcodes.ACC_PUBLIC) != 0 || room(owner).equals(room(from.name))) {
      return true;
    }
    // Inner classes reach what is protected through their outer class; javac sees to it.
    return member.isOpen() && (owner.startsWith("java/") || there.isBelow(from.name, owner));
  }

  private static String outermost(String name) {
    int inner = name.indexOf('$');
    return inner < 0 ? name : name.substring(0, inner);
  }

  private static String room(String name) {
    int end = name.lastIndexOf('/');
    return end < 0 ? "" : name.substring(0, end);
  }

  /** A method that overrides one of Hadoop's where it was built has to do so everywhere. */
  private void overrides(ClassNode node, MethodNode method) {
    if (MAKES_ITSELF.contains(method.name)
        || (method.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC))
            != 0) {
      return;
    }
    if (isInherited(built, node, method) && !isInherited(there, node, method)) {
      problem(node, signature(method.name, method.desc) + " overrides nothing any more");
    }
  }

  private static boolean isInherited(Members members, ClassNode node, MethodNode method) {
    return members.lineage(node.name).stream()
        .skip(1)
        .flatMap(above -> above.methods.stream())
        .anyMatch(
            above ->
                above.name.equals(method.name)
                    && above.desc.equals(method.desc)
                    && (above.access & Opcodes.ACC_PRIVATE) == 0);
  }

  /** What Hadoop has added to an interface or left abstract. */
  private void complete(ClassNode node) {
    for (ClassNode above : there.lineage(node.name)) {
      for (MethodNode method : above.methods) {
        if ((method.access & Opcodes.ACC_ABSTRACT) == 0) {
          continue;
        }
        boolean done =
            there.lineage(node.name).stream()
                .flatMap(each -> each.methods.stream())
                .anyMatch(
                    each ->
                        each.name.equals(method.name)
                            && each.desc.equals(method.desc)
                            && (each.access & Opcodes.ACC_ABSTRACT) == 0);
        if (!done) {
          problem(node, "lacks " + above.name + "." + signature(method.name, method.desc));
        }
      }
    }
  }

  private static String signature(String name, String descriptor) {
    StringBuilder text = new StringBuilder(name).append('(');
    for (Type type : Type.getArgumentTypes(descriptor)) {
      String full = type.getClassName();
      text.append(text.charAt(text.length() - 1) == '(' ? "" : ", ")
          .append(full.substring(full.lastIndexOf('.') + 1));
    }
    return text.append(')').toString();
  }

  private void problem(ClassNode from, String text) {
    problems.add(from.name.replace('/', '.') + " " + text);
  }
}
