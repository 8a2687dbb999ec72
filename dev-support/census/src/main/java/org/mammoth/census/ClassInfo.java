// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/** A class without its code. */
record ClassInfo(
    String name, String parent, List<String> interfaces, int access, List<FieldInfo> fields) {

  static ClassInfo read(byte[] code) {
    ClassReader reader = new ClassReader(code);
    List<FieldInfo> fields = new ArrayList<>();
    String name = reader.getClassName();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(
              int access, String field, String descriptor, String signature, Object value) {
            fields.add(new FieldInfo(name, field, descriptor, signature, access));
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return new ClassInfo(
        name,
        reader.getSuperName(),
        List.of(reader.getInterfaces()),
        reader.getAccess(),
        List.copyOf(fields));
  }

  boolean isInterface() {
    return (access & Opcodes.ACC_INTERFACE) != 0;
  }

  boolean isPublic() {
    return (access & Opcodes.ACC_PUBLIC) != 0;
  }

  /** The static field of that name, or null. */
  FieldInfo staticField(String field, String descriptor) {
    for (FieldInfo each : fields) {
      if (each.isStatic() && each.name().equals(field) && each.descriptor().equals(descriptor)) {
        return each;
      }
    }
    return null;
  }
}
