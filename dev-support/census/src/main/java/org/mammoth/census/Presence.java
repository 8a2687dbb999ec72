// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.mammoth.engine.statics.StaticsTable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Looks for classes that keep in static fields whether classes are there which the release lacks: a
 * job that brings those would find in a process what an engine's first job did not. A class counts
 * with those nested in it. It does if a handler for the lack of a class stands around code that
 * names one, or that calls what does, and the method, or one by which it is called, sets a static
 * field.
 */
final class Presence {

  private static final Set<String> CAUGHT =
      Set.of(
          "java/lang/NoClassDefFoundError",
          "java/lang/ClassNotFoundException",
          "java/lang/LinkageError",
          "java/lang/Error",
          "java/lang/ReflectiveOperationException",
          "java/lang/Exception",
          "java/lang/Throwable");

  private static final Set<String> OF_LINKING =
      Set.of("java/lang/NoClassDefFoundError", "java/lang/LinkageError");

  private static final Pattern CLASS_NAME =
      Pattern.compile("[a-z]\\w*([.]\\w+)*[.][A-Z]\\w*([$]\\w+)?");

  private static final Set<String> LOOKUPS = Set.of("forName", "loadClass", "tryLoadClass");

  /** One method's part in this. */
  private static final class Code {
    /** Absent classes that it names. */
    private final Set<String> absent = new TreeSet<>();

    /** Methods that it calls in a range with a handler for the lack of a class. */
    private final Set<String> guarded = new TreeSet<>();

    /** Absent classes that it names in such a range. */
    private final Set<String> guardedAbsent = new TreeSet<>();

    /** Classes that it calls where a handler is for errors of linking alone. */
    private final Set<String> linked = new TreeSet<>();

    /** All methods that it calls. */
    private final Set<String> calls = new TreeSet<>();

    private boolean setsStatic;
    private boolean hasHandler;
    private boolean looksForServices;
  }

  private final ClassFiles files;
  private final StaticsTable table;
  private final Map<String, Code> methods = new LinkedHashMap<>();
  private final Map<String, Set<String>> byClass = new HashMap<>();
  private final Map<String, Set<String>> byOuter = new LinkedHashMap<>();
  private final Map<String, Boolean> known = new HashMap<>();

  Presence(ClassFiles files, StaticsTable table) {
    this.files = files;
    this.table = table;
    for (String name : files.names()) {
      ClassNode type = new ClassNode();
      new ClassReader(files.code(name))
          .accept(type, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      for (MethodNode method : type.methods) {
        Code code = read(type, method);
        String id = id(name, method.name, method.desc);
        methods.put(id, code);
        if (!code.absent.isEmpty()) {
          byClass.computeIfAbsent(name, n -> new TreeSet<>()).addAll(code.absent);
        }
        byOuter.computeIfAbsent(outer(name), n -> new TreeSet<>()).add(id);
      }
    }
  }

  /**
   * An item for each class and absent class of which it remembers whether it is there, and for each
   * that remembers which parts there are that jars name as services.
   */
  List<Item> items() {
    List<Item> found = new ArrayList<>();
    byOuter.forEach(
        (outer, ids) -> {
          Set<String> absent = remembered(ids);
          absent.removeAll(table.missedBy(outer));
          for (String missed : absent) {
            String name = "has(" + missed.replace('/', '.') + ")";
            found.add(new Item(outer, name, files.jar(outer), "", Kind.PRESENCE));
          }
          if (keepsServices(outer, ids)) {
            found.add(new Item(outer, "services()", files.jar(outer), "", Kind.PRESENCE));
          }
        });
    return found;
  }

  /** Of a class whose fields are all shared; what each task has for itself it looks for itself. */
  private boolean keepsServices(String outer, Set<String> ids) {
    return table.holderNames().stream().noneMatch(holder -> outer(holder).equals(outer))
        && ids.stream().anyMatch(id -> methods.get(id).looksForServices && setsStatic(id, ids));
  }

  private Set<String> remembered(Set<String> ids) {
    Set<String> found = new TreeSet<>();
    for (String id : ids) {
      Code code = methods.get(id);
      if (code.hasHandler && setsStatic(id, ids)) {
        found.addAll(code.guardedAbsent);
        for (String called : code.guarded) {
          Code of = methods.get(called);
          found.addAll(of == null ? Set.of() : of.absent);
        }
        // The JVM verifies a whole class before it runs one method of it.
        code.linked.forEach(type -> found.addAll(byClass.getOrDefault(type, Set.of())));
      }
    }
    return found;
  }

  /** Whether a method, or one of these by which it is called, sets a static field. */
  private boolean setsStatic(String method, Set<String> ids) {
    Set<String> seen = new HashSet<>(Set.of(method));
    List<String> left = new ArrayList<>(seen);
    while (!left.isEmpty()) {
      String at = left.remove(left.size() - 1);
      if (methods.get(at).setsStatic) {
        return true;
      }
      String type = at.substring(0, at.indexOf('.'));
      for (String caller : ids) {
        Collection<String> calls = methods.get(caller).calls;
        // Who makes an object of a nested class may have any of its methods called.
        if ((calls.contains(at) || calls.contains(type)) && seen.add(caller)) {
          left.add(caller);
        }
      }
    }
    return false;
  }

  private Code read(ClassNode type, MethodNode method) {
    Code code = new Code();
    boolean looksUp = false;
    for (AbstractInsnNode each : method.instructions) {
      looksUp |= each instanceof MethodInsnNode call && LOOKUPS.contains(call.name);
      code.setsStatic |= each instanceof FieldInsnNode field && isKept(field, type.name);
    }
    code.looksForServices = looksForServices(method);
    for (AbstractInsnNode each : method.instructions) {
      addTo(code.absent, code.calls, each, looksUp);
      if (each.getOpcode() == Opcodes.NEW
          && outer(((TypeInsnNode) each).desc).equals(outer(type.name))) {
        code.calls.add(((TypeInsnNode) each).desc);
      }
    }
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      if (block.type != null && CAUGHT.contains(block.type)) {
        code.hasHandler = true;
        for (AbstractInsnNode at = block.start; at != null && at != block.end; at = at.getNext()) {
          addTo(code.guardedAbsent, code.guarded, at, looksUp);
          if (OF_LINKING.contains(block.type) && at instanceof MethodInsnNode call) {
            code.linked.add(call.owner);
          }
        }
      }
    }
    return code;
  }

  private static boolean looksForServices(MethodNode method) {
    for (AbstractInsnNode each : method.instructions) {
      if (each instanceof MethodInsnNode call
          && call.owner.equals("java/util/ServiceLoader")
          && call.name.equals("load")) {
        return true;
      }
    }
    return false;
  }

  /** Whether a static field is set, or one is taken that may hold what is kept. */
  private static boolean isKept(FieldInsnNode field, String type) {
    boolean isOwn = outer(field.owner).equals(outer(type)) && !field.desc.contains("Log");
    return isOwn
        && (field.getOpcode() == Opcodes.PUTSTATIC
            || field.getOpcode() == Opcodes.GETSTATIC && field.desc.startsWith("Ljava/util/"));
  }

  private void addTo(
      Set<String> absent, Set<String> calls, AbstractInsnNode code, boolean looksUp) {
    String named = named(code, looksUp);
    if (isAbsent(named)) {
      absent.add(named);
    }
    if (code instanceof MethodInsnNode call) {
      calls.add(id(call.owner, call.name, call.desc));
    } else if (code instanceof InvokeDynamicInsnNode dynamic) {
      for (Object argument : dynamic.bsmArgs) {
        if (argument instanceof Handle handle) {
          calls.add(id(handle.getOwner(), handle.getName(), handle.getDesc()));
        }
      }
    }
  }

  /** The class that an instruction names, with slashes, or null. */
  private static String named(AbstractInsnNode code, boolean looksUp) {
    if (code instanceof TypeInsnNode type) {
      return type.desc;
    } else if (code instanceof MethodInsnNode call) {
      return call.owner;
    } else if (code instanceof FieldInsnNode field) {
      return field.owner;
    } else if (code instanceof LdcInsnNode constant) {
      if (constant.cst instanceof Type type) {
        return type.getSort() == Type.OBJECT ? type.getInternalName() : null;
      }
      return looksUp && constant.cst instanceof String text && CLASS_NAME.matcher(text).matches()
          ? text.replace('.', '/')
          : null;
    }
    return null;
  }

  private boolean isAbsent(String name) {
    return name != null
        && !name.startsWith("[")
        && known.computeIfAbsent(
            name,
            n ->
                files.code(n) == null
                    && ClassLoader.getPlatformClassLoader().getResource(n + ".class") == null);
  }

  private static String outer(String name) {
    int nested = name.indexOf('$');
    return nested <= 0 ? name : name.substring(0, nested);
  }

  private static String id(String owner, String name, String descriptor) {
    return owner + '.' + name + descriptor;
  }
}
