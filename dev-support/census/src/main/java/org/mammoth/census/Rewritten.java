package org.mammoth.census;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Which calls the engine rewrites, read from its jar: from the annotations on the methods that stand
 * for others, in the classes that a table of the engine's names.
 */
final class Rewritten {

  private static final String ROOM = "org/mammoth/engine/isolation/";
  private static final String REPLACES = "L" + ROOM + "Replaces;";
  private static final String PRECEDES = "L" + ROOM + "Precedes;";

  private final ClassFiles files;
  private final Set<String> exact = new HashSet<>();
  private final Set<String> byName = new HashSet<>();

  private Rewritten(ClassFiles files, String table) {
    this.files = files;
    for (MethodNode method : read(table).methods) {
      if (method.name.equals("<clinit>")) {
        for (AbstractInsnNode each : method.instructions) {
          if (each instanceof LdcInsnNode constant && constant.cst instanceof Type source) {
            read(source.getInternalName()).methods.forEach(this::add);
          }
        }
      }
    }
    if (exact.isEmpty()) {
      throw new IllegalStateException("no rewritten calls in " + table);
    }
  }

  /** The calls in jobs' classes. */
  static Rewritten inJobs(ClassFiles files) {
    return new Rewritten(files, ROOM + "CallTable");
  }

  /** The calls in shared classes that task-statics.txt lists as callers. */
  static Rewritten inCallers(ClassFiles files) {
    return new Rewritten(files, ROOM + "CallRewriter");
  }

  private ClassNode read(String name) {
    byte[] code = files.code(name);
    if (code == null) {
      throw new IllegalStateException("the engine has no " + name + " any more");
    }
    ClassNode type = new ClassNode();
    new ClassReader(code).accept(type, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return type;
  }

  private void add(MethodNode method) {
    if (method.visibleAnnotations != null) {
      for (AnnotationNode annotation : method.visibleAnnotations) {
        if (annotation.desc.equals(REPLACES)) {
          addReplaced(method, annotation);
        } else if (annotation.desc.equals(PRECEDES)) {
          String owner = ((Type) value(annotation, "value", null)).getInternalName();
          ((List<?>) value(annotation, "names", List.of()))
              .forEach(name -> byName.add(owner + '.' + name));
        }
      }
    }
  }

  private void addReplaced(MethodNode method, AnnotationNode annotation) {
    String owner = ((Type) value(annotation, "value", null)).getInternalName();
    Object name = value(annotation, "name", "");
    String descriptor = method.desc;
    if (value(annotation, "receiver", false).equals(true)) {
      Type[] all = Type.getArgumentTypes(descriptor);
      Type[] rest = java.util.Arrays.copyOfRange(all, 1, all.length);
      descriptor = Type.getMethodDescriptor(Type.getReturnType(descriptor), rest);
    }
    exact.add(owner + '.' + ("".equals(name) ? method.name : name) + descriptor);
  }

  private static Object value(AnnotationNode annotation, String key, Object absent) {
    for (int i = 0; annotation.values != null && i < annotation.values.size(); i += 2) {
      if (annotation.values.get(i).equals(key)) {
        return annotation.values.get(i + 1);
      }
    }
    return absent;
  }

  /** Whether a call of the method is rewritten. */
  boolean has(String owner, String name, String descriptor) {
    return exact.contains(owner + '.' + name + descriptor) || byName.contains(owner + '.' + name);
  }
}
