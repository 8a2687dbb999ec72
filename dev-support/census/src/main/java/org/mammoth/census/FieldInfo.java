// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import org.objectweb.asm.Opcodes;

/**
 * A field as its class declares it.
 *
 * @param owner internal name of the class
 * @param signature with type parameters, or null
 */
record FieldInfo(String owner, String name, String descriptor, String signature, int access) {

  boolean is(int flag) {
    return (access & flag) != 0;
  }

  boolean isStatic() {
    return is(Opcodes.ACC_STATIC);
  }

  boolean isFinal() {
    return is(Opcodes.ACC_FINAL);
  }

  /** Whether classes of another loader, even of the same package, may use it. */
  boolean isVisibleToJobs() {
    return is(Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED);
  }

  /** {@code package.Class$Nested.field}. */
  String id() {
    return owner.replace('/', '.') + '.' + name;
  }
}
