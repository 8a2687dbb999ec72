// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mammoth.engine.isolation.standins.FieldCalls;
import org.mammoth.engine.isolation.standins.Follows;
import org.mammoth.engine.isolation.standins.LoaderCalls;
import org.mammoth.engine.isolation.standins.ParentCalls;
import org.mammoth.engine.isolation.standins.PartCalls;
import org.mammoth.engine.isolation.standins.Precedes;
import org.mammoth.engine.isolation.standins.ProviderCalls;
import org.mammoth.engine.isolation.standins.Redirects;
import org.mammoth.engine.isolation.standins.UnsafeCalls;
import org.mammoth.engine.isolation.standins.children.ChildCalls;
import org.mammoth.engine.isolation.standins.children.DeputyCalls;
import org.mammoth.engine.isolation.standins.children.ShellCalls;
import org.mammoth.engine.isolation.standins.files.DescriptorCalls;
import org.mammoth.engine.isolation.standins.files.FileCalls;
import org.mammoth.engine.isolation.standins.files.FilesCalls;
import org.mammoth.engine.isolation.standins.files.LockCalls;
import org.mammoth.engine.isolation.standins.files.NameCalls;
import org.mammoth.engine.isolation.standins.files.OtherPathCalls;
import org.mammoth.engine.isolation.standins.files.PathCalls;
import org.mammoth.engine.isolation.standins.files.ProviderFileCalls;
import org.mammoth.engine.isolation.standins.files.WalkCalls;
import org.mammoth.engine.isolation.standins.files.ZipCalls;
import org.mammoth.engine.isolation.standins.jvm.AttachCalls;
import org.mammoth.engine.isolation.standins.jvm.BeanCalls;
import org.mammoth.engine.isolation.standins.jvm.HadoopCalls;
import org.mammoth.engine.isolation.standins.jvm.HeapCalls;
import org.mammoth.engine.isolation.standins.jvm.HookCalls;
import org.mammoth.engine.isolation.standins.jvm.LocaleCalls;
import org.mammoth.engine.isolation.standins.jvm.ManagementCalls;
import org.mammoth.engine.isolation.standins.jvm.NativeCalls;
import org.mammoth.engine.isolation.standins.jvm.OutsideCalls;
import org.mammoth.engine.isolation.standins.jvm.ProcessCalls;
import org.mammoth.engine.isolation.standins.jvm.RuntimeCalls;
import org.mammoth.engine.isolation.standins.jvm.SecurityCalls;
import org.mammoth.engine.isolation.standins.jvm.ThreadCalls;
import org.mammoth.engine.isolation.standins.jvm.WholeCalls;
import org.mammoth.engine.isolation.standins.libraries.CharsetCalls;
import org.mammoth.engine.isolation.standins.libraries.CompilerCalls;
import org.mammoth.engine.isolation.standins.libraries.DesktopCalls;
import org.mammoth.engine.isolation.standins.libraries.JulCalls;
import org.mammoth.engine.isolation.standins.libraries.RegistryCalls;
import org.mammoth.engine.isolation.standins.libraries.SqlCalls;
import org.mammoth.engine.isolation.standins.libraries.XmlCalls;
import org.mammoth.engine.isolation.standins.network.NetworkCalls;
import org.mammoth.engine.isolation.standins.network.SocketCalls;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Which member of which class is replaced by which method of ours, read from {@code Replaces} on
 * the classes below. Immutable.
 *
 * <p>The table is made of methods that exist, so a rewritten call cannot miss; that each stands for
 * a member that exists is a test.
 */
final class CallTable {
  static final List<Class<?>> SOURCES =
      List.of(
          ProcessCalls.class,
          FileCalls.class,
          PathCalls.class,
          FilesCalls.class,
          WalkCalls.class,
          ChildCalls.class,
          HadoopCalls.class,
          HookCalls.class,
          OutsideCalls.class,
          SqlCalls.class,
          LocaleCalls.class,
          NetworkCalls.class,
          SecurityCalls.class,
          ManagementCalls.class,
          NativeCalls.class,
          LockCalls.class,
          CompilerCalls.class,
          ShellCalls.class,
          AttachCalls.class,
          LoaderCalls.class,
          ParentCalls.class,
          ReflectCalls.class,
          FieldCalls.class,
          LookupCalls.class,
          NameCalls.class,
          CharsetCalls.class,
          XmlCalls.class,
          JulCalls.class,
          BeanCalls.class,
          HeapCalls.class,
          ZipCalls.class,
          PartCalls.class,
          RegistryCalls.class,
          DesktopCalls.class,
          ProviderCalls.class,
          ProviderFileCalls.class,
          OtherPathCalls.class,
          DescriptorCalls.class,
          RuntimeCalls.class,
          SocketCalls.class,
          ThreadCalls.class,
          UnsafeCalls.class,
          WholeCalls.class,
          DeputyCalls.class);

  private static final String ANY = "";

  /** Asked of too many classes to look them all up, and told of loaders by no subclass's name. */
  private static final String COMMON = "getName";

  private final Map<String, Handle> methods = new HashMap<>();
  private final Map<String, Handle> fields = new HashMap<>();
  private final Map<String, Handle> preceding = new HashMap<>();
  private final Map<String, Handle> following = new HashMap<>();
  private final Map<String, Handle> redirects = new HashMap<>();
  private final Set<String> owners = new HashSet<>();
  private final boolean givesParents;

  /** Names of methods that may be called by the name of a subclass: their descriptors. */
  private final Map<String, Set<String>> inherited = new HashMap<>();

  /** The table of what user classes may not do to the process. */
  CallTable() {
    this(SOURCES);
  }

  /**
   * A table of the methods of some classes that are marked with {@code Replaces}. It is read from
   * their files, as a class that is loaded loads those of Hadoop that its methods name: these may
   * be the very ones to rewrite.
   */
  CallTable(List<Class<?>> sources) {
    givesParents = sources.contains(ParentCalls.class);
    for (Class<?> source : sources) {
      ClassNode type = read(source);
      for (MethodNode method : type.methods) {
        Handle ours =
            new Handle(Opcodes.H_INVOKESTATIC, type.name, method.name, method.desc, false);
        for (Marker each : Marker.of(method)) {
          owners.add(each.owner());
          add(ours, each);
        }
      }
    }
  }

  private static ClassNode read(Class<?> source) {
    String file = source.getSimpleName() + ".class";
    ClassNode type = new ClassNode();
    try (InputStream in = source.getResourceAsStream(file)) {
      new ClassReader(in).accept(type, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
    return type;
  }

  private void add(Handle ours, Marker marker) {
    if (marker.is(Precedes.class)) {
      for (String name : marker.names()) {
        preceding.put(marker.owner() + '.' + name, ours);
        inherit(name, ANY);
      }
    } else if (marker.is(Follows.class)) {
      for (String name : marker.names()) {
        following.put(marker.owner() + '.' + name, ours);
        inherit(name, ANY);
      }
    } else if (marker.is(Redirects.class)) {
      Type[] parameters = Type.getArgumentTypes(ours.getDesc());
      Type[] arguments = Arrays.copyOfRange(parameters, 1, parameters.length);
      for (String name : marker.names()) {
        redirects.put(redirectKey(marker.owner(), name, arguments), ours);
        inherit(name, ANY);
      }
    } else {
      Map<String, Handle> map = marker.isField() ? fields : methods;
      if (!marker.isField()) {
        inherit(marker.memberName(), marker.memberDescriptor());
      }
      Handle before =
          map.put(key(marker.owner(), marker.memberName(), marker.memberDescriptor()), ours);
      if (before != null) {
        throw new IllegalStateException(ours + " and " + before + " stand for the same member");
      }
    }
  }

  private static String redirectKey(String owner, String name, Type[] arguments) {
    return owner + '.' + name + Arrays.toString(arguments);
  }

  private static String key(String owner, String name, String descriptor) {
    return owner + '.' + name + descriptor;
  }

  private void inherit(String name, String descriptor) {
    inherited.computeIfAbsent(name, n -> new HashSet<>()).add(descriptor);
  }

  /** Whether a class above the one by whose name a method is called may have it in the table. */
  boolean mayInherit(String name, String descriptor) {
    Set<String> descriptors = inherited.get(name);
    return descriptors != null
        && descriptor.startsWith("(")
        && !name.equals("<init>")
        && !name.equals(COMMON)
        && (descriptors.contains(ANY) || descriptors.contains(descriptor));
  }

  /** Whether members of this class are replaced. */
  boolean concerns(String owner) {
    return owners.contains(owner);
  }

  /** The stand-in of a method or constructor, or null. */
  Handle method(String owner, String name, String descriptor) {
    return owners.contains(owner) ? methods.get(key(owner, name, descriptor)) : null;
  }

  /** The stand-in of a read of a static field, or null. */
  Handle field(String owner, String name, String descriptor) {
    return owners.contains(owner) ? fields.get(key(owner, name, descriptor)) : null;
  }

  /** What is called before any method of that name, or null. */
  Handle before(String owner, String name) {
    return owners.contains(owner) ? preceding.get(owner + '.' + name) : null;
  }

  /** What is called with what any method of that name answers, or null. */
  Handle after(String owner, String name) {
    return owners.contains(owner) ? following.get(owner + '.' + name) : null;
  }

  /** What says what a method is to be called with, or null; its result does not matter. */
  Handle redirect(String owner, String name, String descriptor) {
    return owners.contains(owner) && !redirects.isEmpty()
        ? redirects.get(redirectKey(owner, name, Type.getArgumentTypes(descriptor)))
        : null;
  }

  /** Whether constructors of a class are to be given the parent of a class loader. */
  boolean givesParent(String owner) {
    return givesParents && ParentCalls.isLoader(owner);
  }

  /** Whether a reference may be one to rewrite. */
  boolean contains(String owner, String name, String descriptor) {
    return name.equals("<init>") && givesParent(owner)
        || owners.contains(owner)
            && (methods.containsKey(key(owner, name, descriptor))
                || fields.containsKey(key(owner, name, descriptor))
                || preceding.containsKey(owner + '.' + name)
                || following.containsKey(owner + '.' + name)
                || descriptor.startsWith("(") && redirect(owner, name, descriptor) != null);
  }
}
