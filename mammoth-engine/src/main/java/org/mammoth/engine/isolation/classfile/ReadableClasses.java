// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.classfile;

import java.nio.ByteBuffer;
import org.objectweb.asm.ClassReader;

/**
 * Class files that the ASM of the class path reads. One that it does not read stays as it is, and
 * what it calls would be every task's; so an ASM has to read all that a JVM loads. Stateless.
 */
public final class ReadableClasses {

  private static final int FIRST_VERSION = 44;
  private static final int MAJOR_AT = 6;

  private ReadableClasses() {}

  /**
   * Whether ASM reads class files of a Java.
   *
   * @param java the first number of its version
   */
  public static boolean ofJava(int java) {
    byte[] code = new byte[Integer.BYTES * 8];
    ByteBuffer.wrap(code).putInt(0xcafebabe).putInt(FIRST_VERSION + java).putShort((short) 1);
    try {
      return new ClassReader(code).getAccess() == 0;
    } catch (IllegalArgumentException newerThanAsm) {
      return false;
    }
  }

  /** Gives a class file the version of a Java; it must need nothing of a later one. */
  public static byte[] as(int java, byte[] code) {
    byte[] copy = code.clone();
    ByteBuffer.wrap(copy).putShort(MAJOR_AT, (short) (FIRST_VERSION + java));
    return copy;
  }

  /** Whether this JVM loads a class file, by its version. */
  public static boolean areLoadedHere(byte[] code) {
    return code.length > MAJOR_AT + 1
        && ByteBuffer.wrap(code).getShort(MAJOR_AT) <= FIRST_VERSION + Runtime.version().feature();
  }
}
