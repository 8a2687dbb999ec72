// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Rewrites a class's uses of what is in a {@link CallTable}: direct calls, constructions, field
 * reads, method references.
 *
 * <p>Copies and patches: no branch, local variable or frame is added, so frames stay as the
 * compiler made them and no class is loaded to merge types. A class whose constant pool names
 * nothing in the table is returned as the same array. Immutable, thread-safe.
 */
public final class CallRewriter {
  /**
   * What only jobs' classes are rewritten for: shared classes keep loggers, native libraries and
   * handles of members for as long as the engine lives.
   */
  private static final Set<Class<?>> OF_JOBS =
      Set.of(HadoopCalls.class, JulCalls.class, LookupCalls.class, NativeCalls.class);

  private final CallTable table;

  private CallRewriter(CallTable table) {
    this.table = table;
  }

  /** One for Hadoop's and libraries' classes that all tasks share. */
  public static CallRewriter forSharedClasses() {
    List<Class<?>> sources = ofShared();
    sources.add(ClassCalls.class);
    return new CallRewriter(new CallTable(sources));
  }

  /** The same for those of them that set up {@code java.util.logging} for who calls them. */
  public static CallRewriter forLoggingClasses() {
    List<Class<?>> sources = ofShared();
    sources.add(ClassCalls.class);
    sources.add(JulCalls.class);
    return new CallRewriter(new CallTable(sources));
  }

  /** One for classes of the JDK's tools, which find what is theirs by their module. */
  public static CallRewriter forModules() {
    List<Class<?>> sources = ofShared();
    sources.removeAll(Set.of(LoaderCalls.class, ParentCalls.class));
    return new CallRewriter(new CallTable(sources));
  }

  private static List<Class<?>> ofShared() {
    List<Class<?>> sources = new ArrayList<>(CallTable.SOURCES);
    sources.removeAll(OF_JOBS);
    return sources;
  }

  /** One that calls the methods of a class that are marked with {@link Replaces}. */
  public static CallRewriter of(Class<?> source) {
    return new CallRewriter(new CallTable(List.of(source)));
  }

  private static final class Holder {
    static final CallRewriter STANDARD = new CallRewriter(new CallTable());
  }

  /**
   * The one that rewrites everything in the table; building the table costs some milliseconds,
   * once.
   */
  static CallRewriter standard() {
    return Holder.STANDARD;
  }

  /** The class as it is to be defined. */
  public byte[] rewrite(byte[] original) {
    ClassReader reader;
    try {
      reader = new JobClassReader(original);
    } catch (IllegalArgumentException newerThanUs) {
      // Newer than ASM, so newer than this JVM too: let the JVM say so in its own words.
      return original;
    }
    String self = reader.getClassName();
    String parent = reader.getSuperName();
    if (!GapHandlers.mayBeIn(reader)
        && !MemberRefs.any(
            reader, (o, n, d) -> table.contains(o.equals(self) ? parent : o, n, d))) {
      return original;
    }
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new Patch(writer, self, parent), 0);
    return writer.toByteArray();
  }

  private final class Patch extends ClassVisitor {
    private final String self;
    private final String parent;

    Patch(ClassVisitor next, String self, String parent) {
      super(Opcodes.ASM9, next);
      this.self = self;
      this.parent = parent;
    }

    @Override
    public void visit(
        int version, int access, String name, String signature, String from, String[] interfaces) {
      boolean isObjects = CallPatch.isObjectInput(table, from);
      super.visit(
          version, access, name, signature, isObjects ? CallPatch.TASK_INPUT : from, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new CallPatch(new GapHandlers(next), table, self, parent);
    }
  }
}
