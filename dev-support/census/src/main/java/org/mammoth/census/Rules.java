package org.mammoth.census;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Finds for each static field the rule that closes it, or why none does. */
final class Rules {

  private static final List<String> COMPILED_NAMES =
      List.of("$assertionsDisabled", "$VALUES", "ENUM$VALUES", "$SwitchMap$", "$SWITCH_TABLE$");

  private static final Set<String> MESSAGES =
      Set.of(
          "com/google/protobuf/GeneratedMessageV3",
          "com/google/protobuf/GeneratedMessage",
          "com/google/protobuf/GeneratedMessageLite",
          "org/apache/hadoop/thirdparty/protobuf/GeneratedMessageV3",
          "org/apache/hadoop/thirdparty/protobuf/GeneratedMessage",
          "org/apache/hadoop/thirdparty/protobuf/GeneratedMessageLite");

  private static final Set<String> OF_PROTOBUF =
      Set.of(
          "com/google/protobuf/GeneratedMessageV3$FieldAccessorTable",
          "com/google/protobuf/GeneratedMessage$FieldAccessorTable",
          "com/google/protobuf/Parser",
          "com/google/protobuf/Internal$EnumLiteMap");

  private static final String SERVICE_LOADER = "java/util/ServiceLoader";

  private final ClassFiles files;
  private final Hierarchy hierarchy;
  private final Uses uses;
  private final Immutables immutables;
  private final Initialisers initialisers;
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
    this.initialisers = new Initialisers(files, uses, immutables);
    this.perTask = perTask;
  }

  /** All static fields, in the order of their classes. */
  List<Finding> findings() {
    List<Finding> all = new ArrayList<>();
    for (ClassInfo type : hierarchy.classes()) {
      for (FieldInfo field : type.fields()) {
        if (field.isStatic()) {
          all.add(new Finding(field, category(type, field), files.jar(type.name())));
        }
      }
    }
    return all;
  }

  private Category category(ClassInfo type, FieldInfo field) {
    if (perTask.test(field)) {
      return Category.PER_TASK;
    }
    if (isCompiled(field)) {
      return Category.COMPILED;
    }
    String kind = Type.getType(field.descriptor()).getInternalName();
    boolean visible = field.isVisibleToJobs();
    if (!visible && isProtobuf(kind)) {
      return Category.PROTOBUF;
    }
    if (SERVICE_LOADER.equals(kind)) {
      return Category.SERVICES;
    }
    if (!field.isFinal()) {
      if (!uses.of(field).writers().isEmpty()) {
        return Category.WRITTEN;
      }
      if (visible) {
        return Category.ASSIGNABLE;
      }
    }
    return ofValue(type, field, kind);
  }

  /** A field that is set once, by its class's initialiser. */
  private Category ofValue(ClassInfo type, FieldInfo field, String kind) {
    if (Known.LOGGERS.contains(kind)) {
      return Category.LOGGER;
    }
    if (Known.HANDLES.contains(kind)) {
      return Category.HANDLE;
    }
    if (kind.equals("java/lang/ThreadLocal") || kind.equals("java/lang/InheritableThreadLocal")) {
      return Category.THREAD_LOCAL;
    }
    if (isProtobuf(kind)) {
      return Category.PROTOBUF;
    }
    if (field.is(Opcodes.ACC_ENUM)) {
      return immutables.isImmutableClass(type.name()) ? Category.ENUM : Category.OBJECT;
    }
    if (immutables.isImmutable(field.descriptor())) {
      boolean simple = kind.startsWith("java/lang/") || kind.length() == 1;
      return simple ? Category.CONSTANT : Category.IMMUTABLE;
    }
    return initialisers.ofContent(field);
  }

  private static boolean isCompiled(FieldInfo field) {
    boolean literal =
        field.is(Opcodes.ACC_SYNTHETIC) && field.descriptor().equals("Ljava/lang/Class;");
    return literal
        || field.is(Opcodes.ACC_SYNTHETIC)
            && COMPILED_NAMES.stream().anyMatch(name -> field.name().startsWith(name));
  }

  private boolean isProtobuf(String kind) {
    String original = Known.original(kind);
    return original.startsWith("com/google/protobuf/Descriptors$")
        || OF_PROTOBUF.contains(original)
        || MESSAGES.stream().anyMatch(message -> hierarchy.isA(kind, message));
  }
}
