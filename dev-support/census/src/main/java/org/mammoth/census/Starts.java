package org.mammoth.census;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.mammoth.engine.statics.StaticsTable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Initialisers of shared classes that look at who runs them: at a configuration, the current user,
 * the thread's class loader, services, or that start threads. The first task that needs the class
 * runs it, and all others see what it found. Those that the table makes act for the engine are
 * none.
 */
final class Starts {

  private static final String INITIALISER = "<clinit>";

  private static final Set<String> LOOKING =
      Set.of(
          "java/lang/Thread.getContextClassLoader",
          "java/lang/Thread.start",
          "java/util/concurrent/Executors.newScheduledThreadPool",
          "java/util/concurrent/Executors.newSingleThreadScheduledExecutor",
          "java/util/concurrent/Executors.newFixedThreadPool",
          "java/util/concurrent/Executors.newCachedThreadPool",
          "java/util/concurrent/Executors.newSingleThreadExecutor",
          "java/util/Timer.<init>",
          "java/util/ServiceLoader.load",
          "org/apache/hadoop/security/UserGroupInformation.getCurrentUser",
          "org/apache/hadoop/security/UserGroupInformation.getLoginUser",
          "org/apache/hadoop/fs/FileSystem.get",
          "org/apache/hadoop/fs/FileSystem.getLocal",
          "org/apache/hadoop/fs/FileContext.getFileContext");

  private final Hierarchy hierarchy;
  private final StaticsTable table;

  Starts(Hierarchy hierarchy, StaticsTable table) {
    this.hierarchy = hierarchy;
    this.table = table;
  }

  /** An item for each such class; its type says what the initialiser looks at. */
  List<Item> in(ClassFiles files) {
    List<Item> found = new ArrayList<>();
    for (String name : files.names()) {
      if (!table.announces(name) && !table.holderNames().contains(name)) {
        Methods methods = new Methods(name);
        new ClassReader(files.code(name))
            .accept(methods, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        Set<String> looks = new TreeSet<>();
        methods.collect(INITIALISER + "()V", looks, new HashSet<>());
        if (!looks.isEmpty()) {
          String what = String.join(",", looks);
          found.add(new Item(name, INITIALISER, files.jar(name), what, "start"));
        }
      }
    }
    return found;
  }

  private boolean isConfiguration(String type) {
    return hierarchy.isA(type, "org/apache/hadoop/conf/Configuration");
  }

  /** What each static method of a class, and each constructor, looks at and calls. */
  private final class Methods extends ClassVisitor {
    private final String type;
    private final Map<String, Set<String>> looks = new HashMap<>();
    private final Map<String, Set<String>> calls = new HashMap<>();

    Methods(String type) {
      super(Opcodes.ASM9);
      this.type = type;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      Set<String> looked = looks.computeIfAbsent(name + descriptor, m -> new TreeSet<>());
      Set<String> called = calls.computeIfAbsent(name + descriptor, m -> new TreeSet<>());
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String method, String desc, boolean isInterface) {
          boolean configures = method.equals("<init>") && isConfiguration(owner);
          boolean empty = configures && desc.equals("(Z)V");
          if (LOOKING.contains(owner + '.' + method) || configures && !empty) {
            String simple = owner.substring(owner.lastIndexOf('/') + 1);
            looked.add(simple + '.' + method);
          } else if (owner.equals(type)) {
            called.add(method + desc);
          }
        }
      };
    }

    void collect(String method, Set<String> found, Set<String> seen) {
      if (seen.add(method)) {
        found.addAll(looks.getOrDefault(method, Set.of()));
        calls.getOrDefault(method, Set.of()).forEach(next -> collect(next, found, seen));
      }
    }
  }
}
