package org.mammoth.census;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.signature.SignatureReader;
import org.objectweb.asm.signature.SignatureVisitor;

/** What the containers that a field refers to are declared to hold. Immutable. */
final class Elements {

  private final Immutables immutables;

  Elements(Immutables immutables) {
    this.immutables = immutables;
  }

  /** Whether nothing in the array, collection or map can change; false if it is not declared. */
  boolean areImmutable(FieldInfo field) {
    Type type = Type.getType(field.descriptor());
    if (type.getSort() == Type.ARRAY && !isGeneric(field)) {
      return immutables.isImmutable(type.getElementType().getDescriptor());
    }
    if (!isGeneric(field)) {
      return field.descriptor().equals("Ljava/util/BitSet;")
          || field.descriptor().equals("Ljava/util/Properties;");
    }
    Arguments arguments = new Arguments();
    new SignatureReader(field.signature()).acceptType(arguments);
    return arguments.known && arguments.names.stream().allMatch(immutables::isImmutableClass);
  }

  private static boolean isGeneric(FieldInfo field) {
    return field.signature() != null && field.signature().contains("<");
  }

  /** Collects the type arguments of the outermost class; those of a Class do not matter. */
  private static final class Arguments extends SignatureVisitor {
    private final List<String> names = new ArrayList<>();
    private int depth;
    private boolean known = true;

    Arguments() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitClassType(String name) {
      if (depth++ > 0) {
        names.add(name);
      }
    }

    @Override
    public void visitEnd() {
      depth--;
    }

    @Override
    public void visitTypeArgument() {
      known &= depth > 1 && names.get(names.size() - 1).equals("java/lang/Class");
    }

    @Override
    public SignatureVisitor visitTypeArgument(char wildcard) {
      return depth > 1 && names.get(names.size() - 1).equals("java/lang/Class")
          ? new SignatureVisitor(Opcodes.ASM9) {}
          : this;
    }

    @Override
    public SignatureVisitor visitArrayType() {
      known = depth == 0 && known;
      return this;
    }

    @Override
    public void visitTypeVariable(String name) {
      known = false;
    }
  }
}
