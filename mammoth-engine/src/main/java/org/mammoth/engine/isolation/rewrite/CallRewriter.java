// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.mammoth.engine.isolation.ClassRewriter;
import org.mammoth.engine.isolation.classfile.JobClassReader;
import org.mammoth.engine.isolation.classfile.MemberRefs;
import org.mammoth.engine.isolation.classfile.ReadableClasses;
import org.mammoth.engine.isolation.standins.ClassCalls;
import org.mammoth.engine.isolation.standins.LoaderCalls;
import org.mammoth.engine.isolation.standins.ParentCalls;
import org.mammoth.engine.isolation.standins.jvm.HadoopCalls;
import org.mammoth.engine.isolation.standins.jvm.NativeCalls;
import org.mammoth.engine.isolation.standins.libraries.JulCalls;
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
 * compiler made them and no class is loaded to merge types. Where a method reference becomes more
 * than a reference, its class gets a method. A class in which nothing changes is returned as the
 * same array. Immutable, thread-safe.
 */
public final class CallRewriter implements ClassRewriter {
  /**
   * What only jobs' classes are rewritten for: shared classes keep loggers, native libraries and
   * handles of members for as long as the engine lives.
   */
  private static final Set<Class<?>> OF_JOBS =
      Set.of(HadoopCalls.class, JulCalls.class, LookupCalls.class, NativeCalls.class);

  private static final String OURS = "org/mammoth/";

  /** Where a class file has the number of its constants. */
  private static final int CONSTANTS = 8;

  private final CallTable table;
  private final Ancestors ancestors;

  private CallRewriter(CallTable table, Function<String, InputStream> files) {
    this.table = table;
    ancestors = new Ancestors(table, files);
  }

  private CallRewriter(List<Class<?>> sources, ClassLoader loader) {
    this(new CallTable(sources), loader::getResourceAsStream);
  }

  /**
   * One for Hadoop's and libraries' classes that all tasks share.
   *
   * @param shared has their files
   */
  public static CallRewriter forSharedClasses(ClassLoader shared) {
    List<Class<?>> sources = ofShared();
    sources.add(ClassCalls.class);
    return new CallRewriter(sources, shared);
  }

  /** The same for those of them that set up {@code java.util.logging} for who calls them. */
  public static CallRewriter forLoggingClasses(ClassLoader shared) {
    List<Class<?>> sources = ofShared();
    sources.add(ClassCalls.class);
    sources.add(JulCalls.class);
    return new CallRewriter(sources, shared);
  }

  /** One for classes of the JDK's tools, which find what is theirs by their module. */
  public static CallRewriter forModules(ClassLoader shared) {
    List<Class<?>> sources = ofShared();
    sources.removeAll(Set.of(LoaderCalls.class, ParentCalls.class));
    return new CallRewriter(sources, shared);
  }

  private static List<Class<?>> ofShared() {
    List<Class<?>> sources = new ArrayList<>(CallTable.SOURCES);
    sources.removeAll(OF_JOBS);
    return sources;
  }

  /** One that calls the methods of a class that are marked with {@code Replaces}. */
  public static CallRewriter of(Class<?> source) {
    return new CallRewriter(new CallTable(List.of(source)), file -> null);
  }

  private static final class Holder {
    static final CallRewriter STANDARD =
        new CallRewriter(
            new CallTable(), ClassLoader.getPlatformClassLoader()::getResourceAsStream);
  }

  /**
   * The one that rewrites everything in the table; building the table costs some milliseconds,
   * once.
   */
  public static CallRewriter standard() {
    return Holder.STANDARD;
  }

  @Override
  public CallRewriter seeing(Function<String, InputStream> files) {
    return new CallRewriter(table, files);
  }

  @Override
  public byte[] rewrite(byte[] original) {
    ClassReader reader;
    try {
      reader = new JobClassReader(original);
    } catch (IllegalArgumentException newerThanAsm) {
      if (ReadableClasses.areLoadedHere(original)) {
        throw newerThanAsm;
      }
      // Newer than this JVM: let it say so in its own words.
      return original;
    }
    if (!GapHandlers.mayBeIn(reader)
        && !MemberRefs.any(
            reader, (o, n, d) -> table.contains(ancestors.declaring(reader, o, n, d), n, d))) {
      return original;
    }
    ClassWriter writer = new ClassWriter(reader, 0);
    CallPatch.Declaring declaring =
        (owner, name, descriptor) -> ancestors.declaring(reader, owner, name, descriptor);
    reader.accept(new Patch(writer, declaring), 0);
    byte[] patched = writer.toByteArray();
    return isAsItWas(reader, patched) ? original : patched;
  }

  /**
   * Whether no instruction was changed: what a patch calls is then new among the class's constants,
   * unless the class names something of ours itself. Such a class may be defined where ours are not
   * seen.
   */
  private static boolean isAsItWas(ClassReader reader, byte[] patched) {
    return ByteBuffer.wrap(patched).getChar(CONSTANTS) == reader.getItemCount()
        && !MemberRefs.any(reader, (owner, name, descriptor) -> owner.startsWith(OURS));
  }

  private final class Patch extends ClassVisitor {
    private final CallPatch.Declaring declaring;
    private ReferenceBridges bridges;

    Patch(ClassVisitor next, CallPatch.Declaring declaring) {
      super(Opcodes.ASM9, next);
      this.declaring = declaring;
    }

    @Override
    public void visit(
        int version, int access, String name, String signature, String from, String[] interfaces) {
      bridges = new ReferenceBridges(name, (access & Opcodes.ACC_INTERFACE) != 0);
      boolean isObjects = CallPatch.isObjectInput(table, from);
      super.visit(
          version, access, name, signature, isObjects ? CallPatch.TASK_INPUT : from, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return patch(next, name.equals("<init>"));
    }

    private MethodVisitor patch(MethodVisitor next, boolean isConstructor) {
      return new CallPatch(new GapHandlers(next), table, declaring, bridges, isConstructor);
    }

    @Override
    public void visitEnd() {
      bridges.write(cv, code -> patch(code, false));
      super.visitEnd();
    }
  }
}
