package org.mammoth.census;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mammoth.engine.statics.StaticsTable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Where shared classes call methods of the JDK that change the JVM. */
final class CallSites {

  private final Map<String, JdkMethod> methods = new HashMap<>();
  private final Rewritten rewritten;
  private final StaticsTable table;
  private final Set<Item> found = new LinkedHashSet<>();

  /**
   * Looks for calls of some methods.
   *
   * @param rewritten which of them are rewritten in shared classes that the table lists for it
   */
  CallSites(Collection<JdkMethod> methods, Rewritten rewritten, StaticsTable table) {
    methods.forEach(m -> this.methods.put(m.owner() + '.' + m.name() + m.descriptor(), m));
    this.rewritten = rewritten;
    this.table = table;
  }

  /** A call for each class and method, unless it is rewritten. */
  List<Item> in(ClassFiles files) {
    for (String name : files.names()) {
      boolean caller = table.isCaller(name) || table.isFiler(name);
      new ClassReader(files.code(name))
          .accept(
              new InClass(name, files.jar(name), caller),
              ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    }
    return new ArrayList<>(found);
  }

  private final class InClass extends ClassVisitor {
    private final String type;
    private final String jar;
    private final boolean caller;

    InClass(String type, String jar, boolean caller) {
      super(Opcodes.ASM9);
      this.type = type;
      this.jar = jar;
      this.caller = caller;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String desc, boolean isInterface) {
          call(owner, called, desc);
        }

        @Override
        public void visitInvokeDynamicInsn(
            String dynamic, String desc, Handle bootstrap, Object... arguments) {
          for (Object argument : arguments) {
            if (argument instanceof Handle handle) {
              call(handle.getOwner(), handle.getName(), handle.getDesc());
            }
          }
        }
      };
    }

    private void call(String owner, String name, String descriptor) {
      JdkMethod method = methods.get(owner + '.' + name + descriptor);
      if (method != null && !(caller && rewritten.has(owner, name, descriptor))) {
        String simple = owner.substring(owner.lastIndexOf('/') + 1);
        found.add(new Item(type, simple + '.' + name, jar, method.id(), "call"));
      }
    }
  }
}
