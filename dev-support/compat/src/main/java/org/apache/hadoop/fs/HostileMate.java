// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.fs;

/** A job's class in a package of Hadoop's, which uses what is not public there. */
public final class HostileMate {
  private HostileMate() {}

  /** File systems that a process of its own has open. */
  public static String open() {
    return FileSystem.cacheSize() > 0 ? "some" : "none";
  }
}
