// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.MRConfig;

/**
 * Checks in a task that it finds the parts which its job's jar names in META-INF/services, and none
 * that only another job's jar names.
 */
final class Parts {
  /** Which the jar names, with commas: {@code codec}, {@code scheme}, {@code service}. */
  static final String NAMED = "mammoth.compat.parts";

  private static final String FILE = "mammoth.compat.parts.file";
  private static final String TEXT = "salted";
  private static final String TURNED = "fnygrq";

  /** What ServiceLoader looks for. */
  public interface Salt {}

  /** What it finds. */
  public static final class Grain implements Salt {}

  private Parts() {}

  /** Writes what tasks read with the codec. */
  static void write(Configuration conf, Path folder) throws IOException {
    Path file = new Path(folder, "salt.rot");
    conf.set(FILE, file.toString());
    try (OutputStream out = file.getFileSystem(conf).create(file, true)) {
      out.write(TURNED.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Looks for each.
   *
   * @throws IllegalStateException if a part is not there, or there though it should not be
   */
  static void check(Configuration conf) throws IOException {
    // There all jobs share the client's JVM, and stock itself takes what the first of them had.
    if (MRConfig.LOCAL_FRAMEWORK_NAME.equals(conf.get(MRConfig.FRAMEWORK_NAME))
        || conf.get(NAMED) == null) {
      return;
    }
    Collection<String> named = conf.getTrimmedStringCollection(NAMED);
    same("text by the codec", named.contains("codec") ? TEXT : TURNED, text(conf));
    same("file system", Boolean.toString(named.contains("scheme")), scheme(conf));
    same(
        "services",
        named.contains("service") ? "1" : "0",
        Long.toString(ServiceLoader.load(Salt.class).stream().count()));
  }

  private static void same(String what, String expected, String found) {
    if (!expected.equals(found)) {
      throw new IllegalStateException(what + ": expected " + expected + ", found " + found);
    }
  }

  private static String text(Configuration conf) throws IOException {
    Path file = new Path(conf.get(FILE));
    CompressionCodec codec = new CompressionCodecFactory(conf).getCodec(file);
    try (InputStream raw = file.getFileSystem(conf).open(file);
        InputStream in = codec == null ? raw : codec.createInputStream(raw)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String scheme(Configuration conf) throws IOException {
    try {
      return Boolean.toString(FileSystem.getFileSystemClass("rot", conf) != null);
    } catch (UnsupportedFileSystemException e) {
      return "false";
    }
  }
}
