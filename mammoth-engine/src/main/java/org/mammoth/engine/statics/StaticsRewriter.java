// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.util.ArrayList;
import java.util.function.Predicate;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.classfile.JobClassReader;
import org.mammoth.engine.isolation.classfile.MemberRefs;
import org.mammoth.engine.isolation.classfile.OpenedMates;
import org.mammoth.engine.isolation.rewrite.CallRewriter;
import org.mammoth.engine.isolation.rewrite.SharedGap;
import org.mammoth.engine.isolation.standins.jvm.OutsideCalls;
import org.mammoth.engine.isolation.standins.jvm.WholeCalls;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Rewrites shared classes so that each process has the table's fields for itself. Immutable. */
public final class StaticsRewriter {

  /** Where a class file has its version, two bytes. */
  private static final int MAJOR_VERSION = 6;

  private static final String INITIALIZER = "<clinit>";

  private final StaticsTable table;
  private final ClassLoader shared;
  private final OwnFieldUses ownUses;
  private final CallRewriter calls;
  private final CallRewriter callsOfLogging;
  private final CallRewriter callsOfModules;

  /**
   * A rewriter for the fields of a table.
   *
   * @param shared has the files of all shared classes
   */
  public StaticsRewriter(StaticsTable table, ClassLoader shared) {
    this.table = table;
    this.shared = shared;
    this.ownUses = new OwnFieldUses(table);
    calls = CallRewriter.forSharedClasses(shared);
    callsOfLogging = CallRewriter.forLoggingClasses(shared);
    callsOfModules = CallRewriter.forModules(shared);
  }

  /**
   * A shared class as it is to be defined: what it asks of the process is the running task's, and
   * its initialiser acts for the engine.
   *
   * @return the same array if nothing of the class changes
   * @throws IllegalStateException if the class is not made as the table says
   */
  public byte[] rewrite(String name, byte[] original) {
    CallRewriter ofClass = table.setsUpLogging(name) ? callsOfLogging : calls;
    byte[] code = table.restores(name) ? original : ofClass.rewrite(original);
    if (table.concerns(name) || table.isWithinHolder(name) && hasNests(code)) {
      code = rewriteFields(read(code));
    }
    if (OpenedMates.has(name)) {
      code = OpenedMates.open(code);
    }
    return SharedInitializer.isThere(code) ? SharedInitializer.wrap(code) : code;
  }

  /**
   * Rewrites the uses of the table's fields, too. The census sees that no class of the release has
   * any that the table does not name; of jars that administrators have tasks share nobody knows.
   *
   * @param rewritten the class as {@link #rewrite} has left it
   * @return the same array if nothing of it changes
   */
  public byte[] rewriteUsesOfAdded(String name, byte[] rewritten) {
    return table.concerns(name) ? rewritten : rewriteUses(rewritten, shared, each -> true, null);
  }

  /**
   * A class of a module of the JDK that comes by the loader of shared classes, such as the
   * compiler's.
   *
   * @return the same array if nothing of the class changes
   */
  public byte[] rewriteOfModule(byte[] original) {
    byte[] code = callsOfModules.rewrite(original);
    return SharedInitializer.isThere(code) ? SharedInitializer.wrap(code) : code;
  }

  /**
   * Whether a class was compiled for Java 11 or later, as Hadoop is from 3.5 on: its nested classes
   * use its private fields themselves, where older ones call methods of it.
   */
  private static boolean hasNests(byte[] code) {
    return ((code[MAJOR_VERSION] & 0xff) << 8 | code[MAJOR_VERSION + 1] & 0xff) >= Opcodes.V11;
  }

  private byte[] rewriteFields(ClassNode type) {
    StaticsTable.Holder holder = table.holder(type.name);
    FieldUses uses = new FieldUses(table, type, shared, name -> true, name -> false);
    MethodNode initializer = initializerOf(type);
    for (MethodNode method : type.methods) {
      // An initialiser's own uses are of the fields it initialises, which are the engine's.
      if (method != initializer || holder == null) {
        uses.rewrite(method);
      }
      ownUses.rewrite(method);
    }
    if (holder != null) {
      new HolderRewriter(type, holder).add(initializer);
    }
    if (!table.ownFields(type.name).isEmpty()) {
      new OwnFieldsRewriter(type, table.ownFields(type.name)).add(table);
    }
    for (MethodNode method : new ArrayList<>(type.methods)) {
      if (table.isAnnounced(type.name, method.name)) {
        type.methods.add(AnnouncedMethod.split(type.name, method));
      }
    }
    for (MethodNode method : type.methods) {
      if (table.needsProcess(type.name, method.name)) {
        method.instructions.insert(
            ask(WholeCalls.class, "reached", type.name.replace('/', '.') + '.' + method.name));
      }
      if (table.standsAt(type.name, method.name)) {
        method.instructions.insert(
            new MethodInsnNode(
                Opcodes.INVOKESTATIC,
                Type.getInternalName(OutsideCalls.class),
                "changing",
                "()V",
                false));
      }
      if (!table.missedBy(type.name).isEmpty() && isWayIn(method)) {
        String missed = String.join(" ", table.missedBy(type.name)).replace('/', '.');
        method.instructions.insert(ask(SharedGap.class, "remembered", missed));
      }
    }
    return write(type);
  }

  /** Whether others come to a class by a method before any other: no object, no initialiser. */
  private static boolean isWayIn(MethodNode method) {
    boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    return (method.access & Opcodes.ACC_PRIVATE) == 0
        && (isStatic ? !method.name.equals(INITIALIZER) : method.name.equals("<init>"));
  }

  /** What may end a task's attempt at the beginning of a method. */
  private static InsnList ask(Class<?> whom, String name, String about) {
    InsnList code = new InsnList();
    code.add(new LdcInsnNode(about));
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKESTATIC,
            Type.getInternalName(whom),
            name,
            "(Ljava/lang/String;)V",
            false));
    return code;
  }

  /**
   * A job's class as it is to be defined: with its uses of shared classes' fields, of which a
   * subclass may see some.
   *
   * @param loader the job's, which finds the files of the class's superclasses
   */
  public byte[] rewriteUses(TaskClassLoader loader, byte[] original) {
    return rewriteUses(original, loader, loader::isShared, loader::isShared);
  }

  /**
   * A class that the table does not name, with its uses of the table's fields.
   *
   * @param isListed see {@link FieldUses}
   * @param isShared see {@link FieldUses}; null if the class is a shared one itself
   * @return the same array if it has none
   */
  private byte[] rewriteUses(
      byte[] original, ClassLoader loader, Predicate<String> isListed, Predicate<String> isShared) {
    ClassReader reader;
    try {
      reader = new JobClassReader(original);
    } catch (IllegalArgumentException newerThanUs) {
      return original;
    }
    OthersFields others = isShared == null ? null : new OthersFields(reader);
    if (!MemberRefs.any(
        reader,
        (o, name, type) ->
            type.charAt(0) != '(' && table.hasFieldNamed(name)
                || others != null && others.has(o, name, type))) {
      return original;
    }
    ClassNode type = read(original);
    FieldUses uses =
        new FieldUses(table, type, loader, isListed, isShared == null ? each -> false : isShared);
    boolean found = false;
    for (MethodNode method : type.methods) {
      found |= uses.rewrite(method);
    }
    return found ? write(type) : original;
  }

  private static ClassNode read(byte[] code) {
    ClassNode type = new ClassNode();
    new JobClassReader(code).accept(type, ClassReader.EXPAND_FRAMES);
    return type;
  }

  private static byte[] write(ClassNode type) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    type.accept(writer);
    return writer.toByteArray();
  }

  private static MethodNode initializerOf(ClassNode type) {
    for (MethodNode method : type.methods) {
      if (method.name.equals(INITIALIZER) && (method.access & Opcodes.ACC_STATIC) != 0) {
        return method;
      }
    }
    return null;
  }
}
