// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.classfile;

import org.objectweb.asm.ClassReader;

/**
 * The methods and fields a class names in its constant pool: all it can call without reflection.
 * Reading them costs far less than visiting the code.
 */
public final class MemberRefs {
  private static final int FIELD = 9;
  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;

  /** Asked about each reference. */
  public interface Test {
    boolean test(String owner, String name, String descriptor);
  }

  private MemberRefs() {}

  /** Whether any reference passes the test; stops at the first. */
  public static boolean any(ClassReader reader, Test test) {
    char[] buffer = new char[reader.getMaxStringLength()];
    int count = reader.getItemCount();
    for (int i = 1; i < count; i++) {
      int offset = reader.getItem(i);
      // The second half of a long or double has no item.
      if (offset == 0) {
        continue;
      }
      int tag = reader.readByte(offset - 1);
      if (tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD) {
        int nameAndType = reader.getItem(reader.readUnsignedShort(offset + 2));
        String owner = reader.readClass(offset, buffer);
        if (test.test(
            owner,
            reader.readUTF8(nameAndType, buffer),
            reader.readUTF8(nameAndType + 2, buffer))) {
          return true;
        }
      }
    }
    return false;
  }
}
