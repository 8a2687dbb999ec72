// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Counts bytes in the statistics of a client's file system. {@link DFSClient} has the time of a
 * remote read as a third argument since Hadoop 3.4.0, and no such argument before. Any thread;
 * allocates nothing.
 */
final class FileSystemReads {

  private static final String COUNT = "updateFileSystemReadStats";

  private static final MethodHandle UPSTREAMS = upstreams();

  private FileSystemReads() {}

  /**
   * @param distance from the host that was read, as upstream's topology counts
   * @param bytes that were at hand, so without time to speak of
   */
  static void count(DFSClient client, int distance, int bytes) {
    try {
      UPSTREAMS.invokeExact(client, distance, bytes);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("DFSClient." + COUNT + " threw what it does not declare", e);
    }
  }

  private static MethodHandle upstreams() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    try {
      return MethodHandles.insertArguments(
          lookup.findVirtual(
              DFSClient.class,
              COUNT,
              MethodType.methodType(void.class, int.class, int.class, long.class)),
          3,
          0L);
    } catch (NoSuchMethodException timed) {
      return beforeVersion34(lookup);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("DFSClient." + COUNT + " may not be called", e);
    }
  }

  private static MethodHandle beforeVersion34(MethodHandles.Lookup lookup) {
    try {
      return lookup.findVirtual(
          DFSClient.class, COUNT, MethodType.methodType(void.class, int.class, int.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("DFSClient has no " + COUNT + " that is known", e);
    }
  }
}
