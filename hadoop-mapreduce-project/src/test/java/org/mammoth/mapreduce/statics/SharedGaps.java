// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import javax.tools.ToolProvider;
import org.apache.commons.compress.compressors.lzma.LZMAUtils;
import org.apache.commons.compress.compressors.xz.XZUtils;
import org.apache.hadoop.ipc.ProtobufRpcEngine;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.TaskProcess;

/** Libraries that look for classes which the release lacks, first for a job that has none. */
final class SharedGaps {

  private SharedGaps() {}

  /** What a library remembers of one job's class path is not another's. */
  static void remembered(Path folder) throws Exception {
    check(folder, XZUtils::isXZCompressionAvailable, "package org.tukaani.xz; public class XZ {}");
    check(
        folder,
        LZMAUtils::isLZMACompressionAvailable,
        "package org.tukaani.xz; public class LZMAInputStream extends java.io.InputStream {"
            + " public int read() { return -1; } }");
    check(
        folder,
        () -> new ProtobufRpcEngine() == null,
        "package com.google.protobuf; public class Message {}");
  }

  private static void check(Path folder, Callable<Boolean> asks, String brought) throws Exception {
    SharedJvm.require(!call(folder, asks), "there is what nobody has brought");
    try {
      call(folder, asks, brought);
      throw new AssertionError("an earlier job's answer stands for one that has: " + brought);
    } catch (ExecutionException e) {
      SharedJvm.require(e.getCause() instanceof TaskExit, "not an end but " + e.getCause());
    }
  }

  /** What a task is answered whose job has these classes. */
  private static boolean call(Path folder, Callable<Boolean> asks, String... sources)
      throws Exception {
    Path classes = Files.createTempDirectory(folder, "brought");
    for (String source : sources) {
      String name = source.replaceFirst(".*?public class (\\w+).*", "$1");
      Path file = Files.writeString(classes.resolve(name + ".java"), source);
      int rc =
          ToolProvider.getSystemJavaCompiler()
              .run(null, null, null, "-d", classes.toString(), file.toString());
      SharedJvm.require(rc == 0, "does not compile");
    }
    URL[] urls = {classes.toUri().toURL()};
    TaskProcess task = SharedJvm.newTask();
    try (TaskClassLoader loader =
        new TaskClassLoader("job", urls, SharedGaps.class.getClassLoader())) {
      loader.bind(task);
      return SharedJvm.in(task, asks);
    }
  }
}
