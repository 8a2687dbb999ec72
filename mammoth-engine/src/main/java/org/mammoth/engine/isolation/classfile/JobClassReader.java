// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.classfile;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Label;

/**
 * Reads classes that the JVM takes though a part of them is wrong that it never reads: ranges of
 * annotated local variables that end far behind the code. Compilers have written such for variables
 * of lambdas and of patterns, as in Calcite's classes.
 */
public final class JobClassReader extends ClassReader {

  /**
   * @throws IllegalArgumentException if the class is newer than ASM
   */
  public JobClassReader(byte[] code) {
    super(code);
  }

  /** What ends behind the code ends with the code. */
  @Override
  protected Label readLabel(int offset, Label[] labels) {
    return super.readLabel(Math.min(offset, labels.length - 1), labels);
  }
}
