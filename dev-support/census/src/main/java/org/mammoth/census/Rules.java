// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Finds the kind of each static field. */
final class Rules {

  private static final List<String> COMPILED =
      List.of("$assertionsDisabled", "$VALUES", "ENUM$VALUES", "$SwitchMap$", "$SWITCH_TABLE$");

  private final ClassFiles files;
  private final Hierarchy hierarchy;
  private final Uses uses;
  private final Immutables immutables;
  private final Changes changes;
  private final Predicate<FieldInfo> perTask;

  /**
   * Rules for these classes.
   *
   * @param perTask the fields that each task has for itself
   */
  Rules(ClassFiles files, Hierarchy hierarchy, Uses uses, Predicate<FieldInfo> perTask) {
    this.files = files;
    this.hierarchy = hierarchy;
    this.uses = uses;
    this.immutables = new Immutables(hierarchy, uses);
    this.changes = new Changes(files, hierarchy, uses);
    this.perTask = perTask;
  }

  /** All static fields, in the order of their classes. */
  List<Item> fields() {
    List<Item> all = new ArrayList<>();
    for (ClassInfo type : hierarchy.classes()) {
      Initialisers initialiser = null;
      for (FieldInfo field : type.fields()) {
        if (field.isStatic()) {
          Kind kind = byDeclaration(type, field);
          if (kind == null) {
            initialiser =
                initialiser == null ? Initialisers.of(files.code(type.name())) : initialiser;
            kind = byInitialiser(initialiser, field);
          }
          String source = Type.getType(field.descriptor()).getClassName();
          all.add(new Item(type.name(), field.name(), files.jar(type.name()), source, kind));
        }
      }
    }
    return all;
  }

  /** The kind, or null if the class's initialiser must be looked at. */
  private Kind byDeclaration(ClassInfo type, FieldInfo field) {
    String of = Type.getType(field.descriptor()).getInternalName();
    if (perTask.test(field)) {
      return Kind.PER_TASK;
    }
    if (isCompiled(field)) {
      return Kind.COMPILED;
    }
    boolean assignable = !field.isFinal() && field.isVisibleToJobs();
    if (!assignable && isProtobuf(of)) {
      return Kind.PROTOBUF;
    }
    if (!field.isFinal() && uses.isWritten(field)) {
      return Kind.WRITTEN;
    }
    if (assignable) {
      return Kind.ASSIGNABLE;
    }
    return byType(type, field, of);
  }

  private Kind byType(ClassInfo type, FieldInfo field, String of) {
    if (Known.LOGGERS.contains(of)) {
      return Kind.LOGGER;
    }
    if (of.equals("java/lang/ThreadLocal") || of.equals("java/lang/InheritableThreadLocal")) {
      return Kind.THREAD_LOCAL;
    }
    if (field.is(Opcodes.ACC_ENUM)) {
      return immutables.isImmutableClass(type.name()) ? Kind.ENUM : Kind.OBJECT;
    }
    if (immutables.isImmutable(field.descriptor())) {
      boolean simple = of.startsWith("java/lang/") || of.length() == 1;
      return simple ? Kind.CONSTANT : Kind.IMMUTABLE;
    }
    return null;
  }

  private Kind byInitialiser(Initialisers initialiser, FieldInfo field) {
    String of = Type.getType(field.descriptor()).getInternalName();
    String name = field.name();
    if (initialiser.leavesEmpty(name) || initialiser.setsEmptyArray(name)) {
      return Kind.CONSTANT;
    }
    if (initialiser.setsLambda(name)) {
      return Kind.LAMBDA;
    }
    if (initialiser.setsNew(name, "java/lang/Object"::equals)) {
      return Kind.LOCK;
    }
    if (initialiser.setsNew(name, immutables::isImmutableExactly)) {
      return Kind.IMMUTABLE;
    }
    if (Known.isUnchangeableCollection(of) || initialiser.setsUnchangeable(name)) {
      return Kind.UNCHANGEABLE;
    }
    if (Known.isContainer(of)) {
      return changes.has(field) ? Kind.CHANGED : Kind.CONTAINER;
    }
    return Kind.OBJECT;
  }

  private static boolean isCompiled(FieldInfo field) {
    return field.is(Opcodes.ACC_SYNTHETIC)
        && (field.descriptor().equals("Ljava/lang/Class;")
            || COMPILED.stream().anyMatch(name -> field.name().startsWith(name)));
  }

  private boolean isProtobuf(String type) {
    String original = Known.original(type);
    return original.startsWith("com/google/protobuf/Descriptors$")
        || Known.OF_PROTOBUF.contains(original)
        || Known.MESSAGES.stream().anyMatch(message -> hierarchy.isA(type, message));
  }
}
