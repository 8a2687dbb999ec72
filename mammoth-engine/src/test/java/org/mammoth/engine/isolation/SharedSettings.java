// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

/** Stands for a class of Hadoop or a library, which all tasks share. */
public class SharedSettings {
  /** Nobody but a job sets it. */
  public static long limit = 7;

  protected static String mode = "plain";

  public static String mode() {
    return mode;
  }
}
