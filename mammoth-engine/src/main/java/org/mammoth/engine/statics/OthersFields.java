// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/** Which fields that a class names are not its own, as its file tells. Immutable. */
final class OthersFields {

  private final String self;
  private final Set<String> own = new HashSet<>();

  OthersFields(ClassReader reader) {
    self = reader.getClassName();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(
              int access, String name, String descriptor, String signature, Object value) {
            own.add(name);
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  /** Whether what is named is a field of another class; none of the JDK's can be set. */
  boolean has(String owner, String name, String descriptor) {
    boolean isField = descriptor.charAt(0) != '(';
    return isField && (owner.equals(self) ? !own.contains(name) : !owner.startsWith("java/"));
  }
}
