// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.mammoth.engine.isolation.standins.ParentCalls;
import org.mammoth.engine.isolation.standins.ReflectiveCall;
import org.mammoth.engine.isolation.standins.TaskObjectInputStream;
import org.mammoth.engine.isolation.standins.children.ChildCalls;
import org.mammoth.engine.isolation.standins.files.FileCalls;
import org.mammoth.engine.isolation.standins.files.NameCalls;
import org.mammoth.engine.isolation.standins.files.PathCalls;
import org.mammoth.engine.isolation.standins.files.TaskFile;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Patches one method's code, instruction by instruction. */
final class CallPatch extends MethodVisitor {
  private static final String FILE = "java/io/File";
  private static final String TASK_FILE = Type.getInternalName(TaskFile.class);
  private static final String OBJECT_INPUT = "java/io/ObjectInputStream";
  static final String TASK_INPUT = Type.getInternalName(TaskObjectInputStream.class);
  private static final String BUILDER = "java/lang/ProcessBuilder";
  private static final String REFLECTIVE_CALL = Type.getInternalName(ReflectiveCall.class);
  private static final String LAMBDAS = "java/lang/invoke/LambdaMetafactory";
  private static final String INIT = "<init>";
  // DUP2_X1 on two arguments is the deepest a patch goes.
  private static final int EXTRA_STACK = 2;

  /** A NEW whose constructor has not been called yet. */
  private static final class Made {
    private final String type;
    private boolean kept;

    Made(String type) {
      this.type = type;
    }
  }

  /** Finds the class that has a method which is called by the name of a subclass. */
  interface Declaring {
    String of(String owner, String name, String descriptor);
  }

  private final CallTable table;
  private final Declaring declaring;
  private final ReferenceBridges bridges;
  private final boolean isConstructor;
  // Compilers nest constructions, so the last NEW is the one the next constructor call belongs to.
  private final Deque<Made> made = new ArrayDeque<>();
  private boolean justMade;

  CallPatch(
      MethodVisitor next,
      CallTable table,
      Declaring declaring,
      ReferenceBridges bridges,
      boolean isConstructor) {
    super(Opcodes.ASM9, next);
    this.table = table;
    this.declaring = declaring;
    this.bridges = bridges;
    this.isConstructor = isConstructor;
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    justMade = false;
    if (opcode != Opcodes.NEW) {
      super.visitTypeInsn(opcode, type);
      return;
    }
    made.push(new Made(type));
    justMade = true;
    boolean isFile = type.equals(FILE) && table.concerns(FILE);
    super.visitTypeInsn(
        opcode, isFile ? TASK_FILE : isObjectInput(table, type) ? TASK_INPUT : type);
  }

  /** Whether a class is to make or extend ours instead of this one. */
  static boolean isObjectInput(CallTable table, String type) {
    return OBJECT_INPUT.equals(type) && table.concerns(OBJECT_INPUT);
  }

  @Override
  public void visitInsn(int opcode) {
    if (justMade && opcode == Opcodes.DUP) {
      made.peek().kept = true;
    }
    justMade = false;
    super.visitInsn(opcode);
  }

  @Override
  public void visitVarInsn(int opcode, int local) {
    justMade = false;
    super.visitVarInsn(opcode, local);
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    justMade = false;
    super.visitIntInsn(opcode, operand);
  }

  @Override
  public void visitLdcInsn(Object value) {
    justMade = false;
    super.visitLdcInsn(constant(value));
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    justMade = false;
    Handle ours = opcode == Opcodes.GETSTATIC ? table.field(owner, name, descriptor) : null;
    if (ours == null) {
      super.visitFieldInsn(opcode, owner, name, descriptor);
    } else {
      call(ours);
    }
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String descriptor, boolean isInterface) {
    justMade = false;
    if (name.equals(INIT)) {
      construct(owner, descriptor);
      return;
    }
    Handle ours =
        opcode == Opcodes.INVOKESPECIAL
            ? null
            : find(opcode == Opcodes.INVOKESTATIC, owner, name, descriptor);
    String has = declaring.of(owner, name, descriptor);
    if (ours == null) {
      precede(table.before(has, name));
      if (opcode == Opcodes.INVOKEVIRTUAL) {
        redirect(table.redirect(has, name, descriptor), owner, descriptor);
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    } else {
      call(ours);
    }
    follow(table.after(has, name));
  }

  private void follow(Handle ours) {
    if (ours != null) {
      super.visitInsn(Opcodes.DUP);
      call(ours);
    }
  }

  private void followMade(Handle ours, Made creation) {
    if (creation != null) {
      follow(creation.kept ? ours : null);
    } else if (isConstructor && ours != null) {
      // A subclass calls its parent, and is now what the parent makes.
      super.visitVarInsn(Opcodes.ALOAD, 0);
      call(ours);
    }
  }

  private void precede(Handle ours) {
    if (ours != null) {
      if (Type.getArgumentTypes(ours.getDesc()).length == 1) {
        super.visitInsn(Opcodes.DUP);
      }
      call(ours);
    }
  }

  /** Gives what is on the stack for a call to our method, and puts back what it answers. */
  private void redirect(Handle ours, String owner, String descriptor) {
    if (ours == null) {
      return;
    }
    call(ours);
    Type[] arguments = Type.getArgumentTypes(descriptor);
    for (int i = 0; i <= arguments.length; i++) {
      Type type = i == 0 ? Type.getObjectType(owner) : arguments[i - 1];
      boolean last = i == arguments.length;
      if (!last) {
        super.visitInsn(Opcodes.DUP);
      }
      part(i, type);
      if (!last) {
        super.visitInsn(Opcodes.SWAP);
      }
    }
  }

  private void part(int index, Type type) {
    boolean isPrimitive = type.getSort() < Type.ARRAY;
    String name = isPrimitive ? type.getClassName() + "Value" : ReflectiveCall.NAMES.get(index);
    String descriptor = "()" + (isPrimitive ? type.getDescriptor() : "Ljava/lang/Object;");
    super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, REFLECTIVE_CALL, name, descriptor, false);
    if (!isPrimitive && !type.getInternalName().equals("java/lang/Object")) {
      super.visitTypeInsn(Opcodes.CHECKCAST, type.getInternalName());
    }
  }

  /** A method inherited from a JDK class may be called by the user class's name. */
  private Handle find(boolean isStatic, String owner, String name, String descriptor) {
    Handle ours = table.method(declaring.of(owner, name, descriptor), name, descriptor);
    return ours != null && isStatic == ours.getDesc().equals(descriptor) ? ours : null;
  }

  private void construct(String owner, String descriptor) {
    Made creation = !made.isEmpty() && made.peek().type.equals(owner) ? made.pop() : null;
    Handle ours = table.method(owner, INIT, descriptor);
    if (table.givesParent(owner)) {
      initLoader(owner, descriptor);
    } else if (ours == null) {
      init(owner, descriptor);
      followMade(table.after(owner, INIT), creation);
    } else if (owner.equals(FILE)) {
      init(creation == null ? FILE : TASK_FILE, descriptor);
      if (creation == null && isConstructor) {
        // A subclass calls its parent, which stays as it is.
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            Type.getInternalName(FileCalls.class),
            "inherited",
            "(L" + FILE + ";)V",
            false);
      }
    } else if (owner.equals(OBJECT_INPUT)) {
      init(TASK_INPUT, descriptor);
    } else if (owner.equals(BUILDER)) {
      init(owner, descriptor);
      if (creation != null && creation.kept) {
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            Type.getInternalName(ChildCalls.class),
            "adopt",
            "(L" + BUILDER + ";)L" + BUILDER + ";",
            false);
      }
    } else {
      resolveFirst(Type.getArgumentTypes(descriptor), NameCalls.resolverOf(owner));
      init(owner, descriptor);
    }
  }

  private void init(String owner, String descriptor) {
    super.visitMethodInsn(Opcodes.INVOKESPECIAL, owner, INIT, descriptor, false);
  }

  private void initLoader(String owner, String descriptor) {
    Type loader = Type.getType(ClassLoader.class);
    Type[] arguments = Type.getArgumentTypes(descriptor);
    int after = ParentCalls.afterParent(arguments);
    if (after < 0) {
      parent(Type.getMethodDescriptor(loader));
      Type[] all = Arrays.copyOf(arguments, arguments.length + 1);
      all[arguments.length] = loader;
      init(owner, Type.getMethodDescriptor(Type.VOID_TYPE, all));
      return;
    }
    if (after == 1) {
      super.visitInsn(Opcodes.SWAP);
    }
    parent(Type.getMethodDescriptor(loader, loader));
    if (after == 1) {
      super.visitInsn(Opcodes.SWAP);
    }
    init(owner, descriptor);
  }

  private void parent(String descriptor) {
    super.visitMethodInsn(
        Opcodes.INVOKESTATIC, Type.getInternalName(ParentCalls.class), "parent", descriptor, false);
  }

  /**
   * Resolves the first argument on the stack: of one to three, none of them a long or double, or of
   * more that {@link NameCalls#hold} takes.
   */
  private void resolveFirst(Type[] arguments, String resolver) {
    boolean isHeld = arguments.length > 3;
    if (isHeld) {
      hold(arguments);
    }
    if (arguments.length == 2 || isHeld) {
      super.visitInsn(Opcodes.SWAP);
    } else if (arguments.length == 3) {
      super.visitInsn(Opcodes.DUP2_X1);
      super.visitInsn(Opcodes.POP2);
    }
    boolean isPath = arguments[0].getClassName().equals("java.nio.file.Path");
    String type = arguments[0].getDescriptor();
    Class<?> room = isPath ? PathCalls.class : FileCalls.class;
    super.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        Type.getInternalName(resolver == null ? room : NameCalls.class),
        resolver == null ? isPath ? "path" : "name" : resolver,
        "(" + type + ")" + type,
        false);
    if (arguments.length == 2 || isHeld) {
      super.visitInsn(Opcodes.SWAP);
    } else if (arguments.length == 3) {
      super.visitInsn(Opcodes.DUP_X2);
      super.visitInsn(Opcodes.POP);
    }
    if (isHeld) {
      takeUp(arguments);
    }
  }

  /** Puts all arguments but the first into an array, which is one of two on the stack then. */
  private void hold(Type[] arguments) {
    Type[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
    super.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        Type.getInternalName(NameCalls.class),
        "hold",
        Type.getMethodDescriptor(Type.getType(long[].class), rest),
        false);
  }

  /** Has them on the stack again, in the place of the array. */
  private void takeUp(Type[] arguments) {
    for (int i = 1; i < arguments.length; i++) {
      boolean isLast = i == arguments.length - 1;
      boolean isLong = arguments[i].getSize() == 2;
      if (!isLast) {
        super.visitInsn(Opcodes.DUP);
      }
      super.visitIntInsn(Opcodes.BIPUSH, i - 1);
      super.visitInsn(Opcodes.LALOAD);
      if (!isLong) {
        super.visitInsn(Opcodes.L2I);
      }
      if (!isLast) {
        super.visitInsn(isLong ? Opcodes.DUP2_X1 : Opcodes.SWAP);
        if (isLong) {
          super.visitInsn(Opcodes.POP2);
        }
      }
    }
  }

  private void call(Handle ours) {
    super.visitMethodInsn(
        Opcodes.INVOKESTATIC, ours.getOwner(), ours.getName(), ours.getDesc(), false);
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... arguments) {
    justMade = false;
    Object[] patched = new Object[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      patched[i] =
          bootstrap.getOwner().equals(LAMBDAS) && arguments[i] instanceof Handle
              ? reference((Handle) arguments[i], ReferenceBridges.receiver(descriptor))
              : constant(arguments[i]);
    }
    super.visitInvokeDynamicInsn(name, descriptor, bootstrap, patched);
  }

  private Object constant(Object value) {
    if (value instanceof Handle) {
      return reference((Handle) value, null);
    }
    if (value instanceof ConstantDynamic) {
      ConstantDynamic c = (ConstantDynamic) value;
      Object[] arguments = new Object[c.getBootstrapMethodArgumentCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = constant(c.getBootstrapMethodArgument(i));
      }
      return new ConstantDynamic(c.getName(), c.getDescriptor(), c.getBootstrapMethod(), arguments);
    }
    return value;
  }

  private Handle reference(Handle handle, Type receiver) {
    switch (handle.getTag()) {
      case Opcodes.H_INVOKESTATIC:
      case Opcodes.H_NEWINVOKESPECIAL:
        return method(handle, null);
      case Opcodes.H_INVOKEVIRTUAL:
      case Opcodes.H_INVOKEINTERFACE:
        return method(handle, receiver);
      default:
        return handle;
    }
  }

  /**
   * What to refer to instead of a method.
   *
   * @param receiver the object's type where a lambda is bound to one, or null: with a static method
   *     the JDK allows no other
   */
  private Handle method(Handle handle, Type receiver) {
    String owner = handle.getOwner();
    String name = handle.getName();
    String has = name.equals(INIT) ? owner : declaring.of(owner, name, handle.getDesc());
    if (!table.contains(has, name, handle.getDesc())) {
      return handle;
    }
    Handle ours = table.method(has, name, handle.getDesc());
    boolean isAll =
        ours != null
            && ours.getDesc().equals(ReferenceBridges.descriptor(handle, receiver))
            && table.after(has, name) == null;
    return isAll ? ours : bridges.of(handle, receiver);
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    super.visitMaxs(maxStack + EXTRA_STACK, maxLocals);
  }
}
