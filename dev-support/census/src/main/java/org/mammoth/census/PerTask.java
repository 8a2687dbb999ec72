package org.mammoth.census;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.mammoth.engine.statics.StaticsRewriter;
import org.mammoth.engine.statics.StaticsTable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Whether the engine's agent reaches every use of the fields that each task has for itself: rewrites
 * the classes as the agent does and looks for uses that are left.
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
  List<String> faults(Uses uses, StaticsRewriter rewriter) {
    List<String> faults = new ArrayList<>();
    for (String name : table.classes()) {
      if (files.code(name) == null) {
        faults.add("task-statics.txt names " + name + ", which is in no jar");
      }
    }
    for (String name : uses.usersOf(this::has)) {
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
    return faults;
  }

  private void check(String type, MethodNode method, List<String> faults) {
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
