package org.mammoth.census;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds, in the JDK itself, the public methods that change the state of a JVM: static ones named
 * like setters that write a static field, or change the container a static field refers to, at most
 * three calls deep; and instance methods named so of classes that hand out an object of their own.
 */
final class JdkSetters {

  private static final int DEPTH = 3;

  private static final Pattern SETTER =
      Pattern.compile(
          "(set|add|register|remove|install|load|put|insert|clear|deregister|unregister|reset|"
              + "update|define|delete|enable|disable|import|export|flush|read|halt|exit|redefine|"
              + "retransform|append|publish|bind|rebind|unbind|close)[A-Z]?\\w*");

  private static final Set<String> CHANGING =
      Set.of(
          "put", "putIfAbsent", "putAll", "add", "addAll", "addElement", "insertElementAt",
          "addFirst", "addLast", "addIfAbsent", "addAllAbsent", "remove", "removeIf", "removeAll",
          "removeElement", "removeElementAt", "clear", "set", "compareAndSet", "getAndSet",
          "setProperty", "compute", "computeIfAbsent", "merge", "replace", "push", "offer",
          "setRelease", "lazySet");

  private static final Set<String> GIVERS =
      Set.of(
          "getInstance", "getDefault", "getRuntime", "getLogManager", "getPlatformMBeanServer",
          "getSystem", "getDefaultToolkit", "getLocalGraphicsEnvironment", "getCurrent",
          "getCurrentManager", "provider", "getCurrentKeyboardFocusManager", "system",
          "getGlobal", "getSystemClassLoader", "getPlatformClassLoader", "commonPool",
          "getSecurityManager", "getProperties", "systemRoot", "userRoot", "sharedInstance", "getLogger");

  private record Node(String owner, String name, String descriptor) {}

  private final Set<Node> writing = new HashSet<>();
  private final Map<Node, List<Node>> calls = new HashMap<>();
  private final Set<JdkMethod> candidates = new TreeSet<>();
  private final Set<JdkMethod> ofInstances = new TreeSet<>();
  private final Set<String> singletons = new TreeSet<>();

  /** Reads the JDK that runs this. */
  JdkSetters() throws IOException {
    for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
      read(module);
    }
  }

  private void read(ModuleReference module) throws IOException {
    Set<String> exported = new HashSet<>();
    for (ModuleDescriptor.Exports exports : module.descriptor().exports()) {
      if (!exports.isQualified()) {
        exported.add(exports.source().replace('.', '/'));
      }
    }
    try (ModuleReader reader = module.open()) {
      List<String> names = reader.list().filter(n -> n.endsWith(".class")).toList();
      for (String name : names) {
        if (!name.endsWith("-info.class")) {
          ClassReader code = new ClassReader(reader.open(name).orElseThrow().readAllBytes());
          String type = code.getClassName();
          boolean open =
              (code.getAccess() & Opcodes.ACC_PUBLIC) != 0
                  && exported.contains(type.substring(0, type.lastIndexOf('/')));
          code.accept(new InClass(type, open), ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
        }
      }
    }
  }

  /** The methods, in the order of their names. */
  Set<JdkMethod> methods() {
    Set<JdkMethod> found = new TreeSet<>();
    for (JdkMethod each : candidates) {
      if (writes(new Node(each.owner(), each.name(), each.descriptor()), DEPTH)) {
        found.add(each);
      }
    }
    ofInstances.stream().filter(m -> singletons.contains(m.owner())).forEach(found::add);
    return found;
  }

  private static boolean gives(String method) {
    return GIVERS.contains(method) || method.endsWith("MXBean");
  }

  private boolean writes(Node method, int depth) {
    if (writing.contains(method)) {
      return true;
    }
    return depth > 0
        && calls.getOrDefault(method, List.of()).stream().anyMatch(c -> writes(c, depth - 1));
  }

  private final class InClass extends ClassVisitor {
    private final String type;
    private final boolean open;

    InClass(String type, boolean open) {
      super(Opcodes.ASM9);
      this.type = type;
      this.open = open;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
      if (open && (access & Opcodes.ACC_PUBLIC) != 0) {
        Type result = Type.getReturnType(descriptor);
        if (isStatic && gives(name) && result.getSort() == Type.OBJECT) {
          singletons.add(result.getInternalName());
        }
        if (SETTER.matcher(name).matches()) {
          (isStatic ? candidates : ofInstances)
              .add(new JdkMethod(type, name, descriptor, isStatic));
        }
      }
      if ((access & Opcodes.ACC_NATIVE) != 0 && SETTER.matcher(name).matches()) {
        writing.add(new Node(type, name, descriptor));
      }
      boolean initialiser = name.equals("<clinit>") || name.equals("<init>");
      return initialiser ? null : new InMethod(new Node(type, name, descriptor));
    }
  }

  private final class InMethod extends MethodVisitor {
    private final Node method;
    private final List<Node> called = new ArrayList<>();
    private boolean readsContainer;
    private boolean given;

    InMethod(Node method) {
      super(Opcodes.ASM9);
      this.method = method;
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      if (opcode == Opcodes.PUTSTATIC || opcode == Opcodes.PUTFIELD && given) {
        writing.add(method);
      } else if (opcode == Opcodes.GETSTATIC && descriptor.startsWith("Ljava/util/")) {
        readsContainer = true;
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (readsContainer && owner.startsWith("java/util/") && CHANGING.contains(name)) {
        writing.add(method);
      }
      given |= opcode == Opcodes.INVOKESTATIC && gives(name) || name.equals("getContext");
      if (opcode == Opcodes.INVOKESTATIC || given || owner.equals(method.owner())) {
        called.add(new Node(owner, name, descriptor));
      }
    }

    @Override
    public void visitEnd() {
      if (!called.isEmpty()) {
        calls.put(method, called);
      }
    }
  }
}
