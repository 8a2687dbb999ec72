// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.mammoth.engine.statics.StaticsRewriter;
import org.mammoth.engine.statics.StaticsTable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Whether the engine's agent reaches every use of the fields that each task has for itself:
 * rewrites the classes as the agent does and looks for uses that are left.
 */
final class PerTask {

  /** What names of methods that the agent adds begin with. */
  private static final String OURS = "mammoth$";

  private final ClassFiles files;
  private final Hierarchy hierarchy;
  private final StaticsTable table;
  private final Set<String> fields;

  PerTask(ClassFiles files, Hierarchy hierarchy, StaticsTable table) {
    this.files = files;
    this.hierarchy = hierarchy;
    this.table = table;
    this.fields = table.fields();
  }

  boolean has(FieldInfo field) {
    return fields.contains(field.owner() + '.' + field.name());
  }

  /** Uses that all tasks would share, and entries of the table that are of nothing. */
  List<String> faults(Uses uses, StaticsRewriter rewriter, Reach reach) {
    Set<String> faults = new LinkedHashSet<>();
    for (String name : table.classes()) {
      if (files.code(name) == null && !table.isOfSomeVersions(name)) {
        faults.add("task-statics.txt names " + name + ", which is in no jar");
      }
    }
    table.holderNames().forEach(name -> checkTypes(name, faults));
    for (String name : uses.usersOf(this::has)) {
      if (!reach.contains(name)) {
        // A test of upstream's.
        continue;
      }
      ClassNode type = new ClassNode();
      new ClassReader(rewriter.rewrite(name, files.code(name)))
          .accept(type, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      for (MethodNode method : type.methods) {
        // The initialiser of the class that has the fields sets the engine's own.
        boolean ofHolder =
            method.name.equals("<clinit>") && table.holderNames().contains(type.name);
        if (!method.name.startsWith(OURS) && !ofHolder) {
          check(type.name, method, faults);
        }
      }
    }
    return List.copyOf(faults);
  }

  /**
   * The engine looks a holder's methods up by reflection, which fails for types that are nowhere.
   */
  private void checkTypes(String name, Set<String> faults) {
    ClassNode type = new ClassNode();
    if (files.code(name) != null) {
      new ClassReader(files.code(name)).accept(type, ClassReader.SKIP_CODE);
    }
    for (MethodNode method : type.methods) {
      List<Type> types = new ArrayList<>(List.of(Type.getArgumentTypes(method.desc)));
      types.add(Type.getReturnType(method.desc));
      for (Type each : types) {
        Type of = each.getSort() == Type.ARRAY ? each.getElementType() : each;
        if (of.getSort() == Type.OBJECT && !exists(of)) {
          faults.add(
              "task-statics.txt names %s, which has no slots: its %s needs %s, which is in no jar"
                  .formatted(name, method.name, of.getClassName()));
        }
      }
    }
  }

  private boolean exists(Type type) {
    String name = type.getInternalName();
    return files.code(name) != null
        || ClassLoader.getPlatformClassLoader().getResource(name + ".class") != null;
  }

  private void check(String type, MethodNode method, Set<String> faults) {
    for (AbstractInsnNode each : method.instructions) {
      if (each.getOpcode() == Opcodes.GETSTATIC || each.getOpcode() == Opcodes.PUTSTATIC) {
        FieldInsnNode use = (FieldInsnNode) each;
        FieldInfo field = hierarchy.resolve(use.owner, use.name, use.desc);
        if (field != null && has(field)) {
          faults.add(
              "%s.%s uses %s, but is not rewritten; see 'referrer' and 'heir' in StaticsTable"
                  .formatted(type.replace('/', '.'), method.name, field.id()));
        }
      }
    }
  }
}
