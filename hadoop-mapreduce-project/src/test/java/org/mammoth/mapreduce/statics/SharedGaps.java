// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import java.io.File;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import javax.tools.ToolProvider;
import org.apache.avro.LogicalTypes;
import org.apache.commons.compress.compressors.lzma.LZMAUtils;
import org.apache.commons.compress.compressors.xz.XZUtils;
import org.apache.hadoop.ipc.ProtobufRpcEngine;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.rewrite.CallRewriter;

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

  /** Parts that a job's jar names as services are there for that job, and for no other. */
  static void services(Path folder) throws Exception {
    String type = "org.apache.avro.LogicalTypes$LogicalTypeFactory";
    String factory =
        "public class Money implements org.apache.avro.LogicalTypes.LogicalTypeFactory {"
            + " public org.apache.avro.LogicalType fromSchema(org.apache.avro.Schema s) {"
            + " return new org.apache.avro.LogicalType(getTypeName()); }"
            + " public String getTypeName() { return \"money\"; } }";
    Callable<Boolean> asks = () -> LogicalTypes.getCustomRegisteredTypes().containsKey("money");
    for (int job = 0; job < 2; job++) {
      SharedJvm.require(
          !call(Files.createTempDirectory(folder, "none"), asks),
          "a logical type that no jar of the job names");
      Path classes = compiled(folder, factory);
      Path names = Files.createDirectories(classes.resolve("META-INF/services")).resolve(type);
      Files.writeString(names, "Money");
      SharedJvm.require(call(classes, asks), "no logical type of the job's jar");
    }
  }

  /** A job's class makes what is its package's own, as HBase does. */
  static void mates(Path folder) throws Exception {
    Path classes =
        compiled(
            folder,
            "package org.apache.hadoop.metrics2.lib; public class Mate implements"
                + " java.util.concurrent.Callable<Boolean> { public Boolean call() {"
                + " MetricsInfoImpl of = new MetricsInfoImpl(\"of\", \"a job\");"
                + " return new MutableGaugeInt(of, 1).value() + new MutableGaugeLong(of, 2L).value() == 3"
                + " && new MutableRate(\"a\", \"b\", false) != null && of.name().equals(\"of\"); } }");
    Callable<Boolean> asks =
        () -> {
          Class<?> mate =
              Thread.currentThread()
                  .getContextClassLoader()
                  .loadClass("org.apache.hadoop.metrics2.lib.Mate");
          return (Boolean) ((Callable<?>) mate.getConstructor().newInstance()).call();
        };
    SharedJvm.require(call(classes, asks), "not made");
  }

  private static void check(Path folder, Callable<Boolean> asks, String brought) throws Exception {
    SharedJvm.require(
        !call(Files.createTempDirectory(folder, "none"), asks), "there is what nobody has brought");
    try {
      call(compiled(folder, brought), asks);
      throw new AssertionError("an earlier job's answer stands for one that has: " + brought);
    } catch (ExecutionException e) {
      SharedJvm.require(e.getCause() instanceof TaskExit, "not an end but " + e.getCause());
    }
  }

  static Path compiled(Path folder, String source) throws Exception {
    Path classes = Files.createTempDirectory(folder, "brought");
    compile(classes, source, classes);
    return classes;
  }

  /** Compiles a class of one file into a folder, with the classes of another one at hand. */
  static void compile(Path classes, String source, Path more) throws Exception {
    String name = source.replaceFirst(".*?public class (\\w+).*", "$1");
    Path file = Files.writeString(classes.resolve(name + ".java"), source);
    String path = System.getProperty("java.class.path") + File.pathSeparator + more;
    String[] arguments = {"-cp", path, "-d", classes.toString(), file.toString()};
    int rc = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments);
    SharedJvm.require(rc == 0, "does not compile");
  }

  /** What a task is answered whose job has these classes. */
  private static boolean call(Path classes, Callable<Boolean> asks) throws Exception {
    URL[] urls = {classes.toUri().toURL()};
    TaskProcess task = SharedJvm.newTask();
    try (TaskClassLoader loader =
        new TaskClassLoader(
            "job", urls, SharedGaps.class.getClassLoader(), CallRewriter.standard())) {
      loader.bind(task);
      return SharedJvm.in(
          task,
          () -> {
            Thread.currentThread().setContextClassLoader(loader);
            return asks.call();
          });
    }
  }
}
