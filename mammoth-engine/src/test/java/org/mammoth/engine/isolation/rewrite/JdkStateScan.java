// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The methods and constructors of the running JDK that anybody may call and that change a static
 * field, or a collection that a static field holds: by themselves or through a few methods of the
 * JDK's own. Reads byte code, so it finds more than what matters (caches, constants that are looked
 * up just before), and nothing that changes state in native code or behind an interface.
 */
final class JdkStateScan {

  /** Methods of collections and atomic variables that change them. */
  private static final Set<String> CHANGING =
      Set.of(
          "add",
          "addAll",
          "addElement",
          "addFirst",
          "addIfAbsent",
          "addLast",
          "clear",
          "compareAndSet",
          "compute",
          "computeIfAbsent",
          "getAndIncrement",
          "getAndSet",
          "incrementAndGet",
          "insertElementAt",
          "merge",
          "offer",
          "push",
          "put",
          "putAll",
          "putIfAbsent",
          "remove",
          "removeAll",
          "removeAllElements",
          "removeElement",
          "removeIf",
          "set",
          "setElementAt");

  /** What the JDK keeps for all windows of a program, found by group of threads. */
  private static final String CONTEXT = "sun/awt/AppContext";

  /** Instructions between a static field's read and the call that changes what it holds. */
  private static final int NEAR = 14;

  /** How many calls lie between a public method and the change. */
  private static final int DEPTH = 1;

  private final Map<String, ClassNode> classes = new HashMap<>();
  private final Set<String> exported = new HashSet<>();
  private final Map<String, Set<String>> changes = new HashMap<>();
  private final Map<String, Set<String>> calls = new HashMap<>();

  /** Class and method, as {@code java.util.Locale setDefault}, to the fields. */
  static Map<String, Set<String>> ofThisJdk() throws IOException {
    JdkStateScan scan = new JdkStateScan();
    for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
      scan.read(module.descriptor());
    }
    scan.classes.values().forEach(type -> type.methods.forEach(method -> scan.look(type, method)));
    return scan.found();
  }

  private void read(ModuleDescriptor module) throws IOException {
    Set<String> packages = new HashSet<>();
    module.exports().stream()
        .filter(each -> !each.isQualified())
        .forEach(each -> packages.add(each.source().replace('.', '/')));
    FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
    List<Path> files;
    try (Stream<Path> all = Files.walk(image.getPath("/modules", module.name()))) {
      files = all.filter(file -> file.toString().endsWith(".class")).toList();
    }
    for (Path file : files) {
      ClassNode type = new ClassNode();
      new ClassReader(Files.readAllBytes(file))
          .accept(type, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      classes.put(type.name, type);
      if (packages.contains(packageOf(type.name)) && (type.access & Opcodes.ACC_PUBLIC) != 0) {
        exported.add(type.name);
      }
    }
  }

  private static String packageOf(String type) {
    return type.substring(0, Math.max(0, type.lastIndexOf('/')));
  }

  private void look(ClassNode type, MethodNode method) {
    Set<String> changed = new TreeSet<>();
    Set<String> called = new HashSet<>();
    String held = null;
    int since = 0;
    for (AbstractInsnNode each : method.instructions) {
      since++;
      if (each instanceof FieldInsnNode field) {
        if (field.getOpcode() == Opcodes.PUTSTATIC && !method.name.equals("<clinit>")) {
          changed.add(field.owner + "." + field.name);
        } else if (field.getOpcode() == Opcodes.GETSTATIC) {
          held = field.owner + "." + field.name;
          since = 0;
        }
      } else if (each instanceof MethodInsnNode call) {
        if (held != null && since < NEAR && changes(call)) {
          changed.add(held + "~" + call.name);
          held = null;
        }
        if (call.owner.equals(CONTEXT) && CHANGING.contains(call.name)) {
          changed.add(CONTEXT);
        }
        if (packageOf(call.owner).equals(packageOf(type.name)) || !exported.contains(call.owner)) {
          called.add(key(call.owner, call.name, call.desc));
        }
      }
    }
    String key = key(type.name, method.name, method.desc);
    changes.put(key, changed);
    calls.put(key, called);
  }

  private static boolean changes(MethodInsnNode call) {
    return call.getOpcode() != Opcodes.INVOKESTATIC
        && CHANGING.contains(call.name)
        && call.owner.startsWith("java/util/");
  }

  private static String key(String owner, String name, String descriptor) {
    return owner + "." + name + descriptor;
  }

  private Map<String, Set<String>> found() {
    Map<String, Set<String>> found = new TreeMap<>();
    for (String name : exported) {
      ClassNode type = classes.get(name);
      for (MethodNode method : type.methods) {
        boolean open = (method.access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
        if (open && !method.name.equals("<clinit>")) {
          Set<String> fields = reached(key(type.name, method.name, method.desc), DEPTH);
          if (!fields.isEmpty()) {
            found
                .computeIfAbsent(
                    type.name.replace('/', '.') + " " + method.name + method.desc,
                    each -> new TreeSet<>())
                .addAll(fields);
          }
        }
      }
    }
    return found;
  }

  private Set<String> reached(String method, int depth) {
    Set<String> fields = new TreeSet<>(changes.getOrDefault(method, Set.of()));
    if (depth > 0) {
      calls.getOrDefault(method, Set.of()).forEach(each -> fields.addAll(reached(each, depth - 1)));
    }
    return fields;
  }
}
