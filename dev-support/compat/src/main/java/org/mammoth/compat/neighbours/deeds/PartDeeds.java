// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.io.InputStream;
import java.util.ServiceLoader;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.util.ReflectionUtils;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;
import org.mammoth.compat.neighbours.parts.OnlyInLibrary;

/** Programs whose jar or configuration brings parts of its own, whichever job came before. */
public final class PartDeeds {
  private PartDeeds() {}

  /** A part that ServiceLoader finds. */
  public static final class Part implements Runnable {
    @Override
    public void run() {}
  }

  @Hostile(value = "needs a class of -libjars", about = "libjars", library = OnlyInLibrary.class)
  static final class Library implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return OnlyInLibrary.says();
    }
  }

  @Hostile(
      value = "finds a class of -libjars by its name and by ServiceLoader's class loader",
      about = "libjars",
      library = OnlyInLibrary.class)
  static final class LibraryByName implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Class<?> found =
          Class.forName(
              "org.mammoth.compat.neighbours.parts.OnlyInLibrary",
              true,
              Thread.currentThread().getContextClassLoader());
      return String.valueOf(found.getMethod("says").invoke(null));
    }
  }

  @Hostile(
      value = "reads a file by a codec that its jar names in META-INF/services",
      about = "service",
      services =
          "org.apache.hadoop.io.compress.CompressionCodec=org.mammoth.compat.neighbours.parts.RotCodec")
  static final class Codec implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Path file = new Path(System.getProperty("java.io.tmpdir"), "x.rot");
      FileSystem local = FileSystem.getLocal(context.getConfiguration());
      try (java.io.OutputStream out = local.create(file)) {
        out.write("uryyb".getBytes());
      }
      CompressionCodec codec =
          new CompressionCodecFactory(context.getConfiguration()).getCodec(file);
      try (InputStream raw = local.open(file);
          InputStream in = codec == null ? raw : codec.createInputStream(raw)) {
        return new String(in.readAllBytes());
      }
    }
  }

  @Hostile(
      value = "uses a file system that its jar names in META-INF/services",
      about = "service",
      services =
          "org.apache.hadoop.fs.FileSystem=org.mammoth.compat.neighbours.parts.RotFileSystem")
  static final class Scheme implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return FileSystem.get(java.net.URI.create("rot:///"), context.getConfiguration()).getUri()
          + " "
          + FileSystem.getFileSystemClass("rot", context.getConfiguration()).getSimpleName();
    }
  }

  @Hostile(
      value = "finds a JDBC driver that its jar names in META-INF/services",
      about = "service",
      services = "java.sql.Driver=org.mammoth.compat.neighbours.parts.NoDriver")
  static final class JdbcDriver implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return java.sql.DriverManager.getDriver("jdbc:hostile:x").getClass().getSimpleName();
    }
  }

  @Hostile(
      value = "finds a part by ServiceLoader in three ways",
      about = "service",
      services = "java.lang.Runnable=org.mammoth.compat.neighbours.deeds.PartDeeds$Part")
  static final class Service implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      long byContext = ServiceLoader.load(Runnable.class).stream().count();
      long byOwn =
          ServiceLoader.load(Runnable.class, Service.class.getClassLoader()).stream().count();
      long bySystem =
          ServiceLoader.load(Runnable.class, ClassLoader.getSystemClassLoader()).stream().count();
      return byContext + " " + byOwn + " " + bySystem;
    }
  }

  @Hostile(
      value = "finds a charset that its jar names in META-INF/services",
      about = "service",
      services =
          "java.nio.charset.spi.CharsetProvider=org.mammoth.compat.neighbours.parts.MarkCharsets")
  static final class SecurityService implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return String.valueOf(java.nio.charset.Charset.isSupported(MARK));
    }
  }

  @Hostile(
      value = "finds a token identifier that its jar names in META-INF/services",
      about = "service",
      services =
          "org.apache.hadoop.security.token.TokenIdentifier=org.mammoth.compat.neighbours.parts.MarkIdentifier")
  static final class TokenIdentifiers implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      org.apache.hadoop.security.token.Token<?> token =
          new org.apache.hadoop.security.token.Token<>(
              new byte[0],
              new byte[0],
              new org.apache.hadoop.io.Text(MARK),
              new org.apache.hadoop.io.Text(MARK));
      return String.valueOf(token.decodeIdentifier());
    }
  }

  @Hostile(
      value = "makes more counters than the default limit allows, which its job raises",
      about = "first-job",
      settings = "mapreduce.job.counters.max=200")
  static final class CounterLimit implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      StringBuilder seen = new StringBuilder();
      try {
        for (int i = 0; i < 150; i++) {
          context.getCounter(MARK, "c" + i).increment(1);
        }
        seen.append("150 counters");
      } catch (RuntimeException e) {
        seen.append(e.getMessage());
      }
      return seen.toString();
    }
  }

  @Hostile(
      value = "meets a limit of counters that its job lowers",
      about = "first-job",
      settings = {"mapreduce.job.counters.max=100", "mapreduce.map.maxattempts=1"})
  static final class LowCounterLimit implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      try {
        for (int i = 0; i < 118; i++) {
          context.getCounter(MARK, "c" + i);
        }
        return "went on";
      } catch (RuntimeException e) {
        return e.getClass().getSimpleName();
      }
    }
  }

  @Hostile(
      value = "copies an object with a serialization of its configuration",
      about = "first-job",
      settings =
          "io.serializations=org.apache.hadoop.io.serializer.WritableSerialization,org.apache.hadoop.io.serializer.JavaSerialization")
  static final class CopyWithItsSerialization implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      StringBuilder from = new StringBuilder("copied");
      return ReflectionUtils.copy(context.getConfiguration(), from.toString(), null);
    }
  }

  @Hostile(
      value = "asks for containers of 640 MB",
      about = "container",
      settings = {"mapreduce.map.memory.mb=640", "mapreduce.reduce.memory.mb=768"})
  static final class SmallContainers implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return context.getConfiguration().get("mapreduce.map.memory.mb");
    }
  }

  @Hostile(
      value = "asks for containers of 1,536 MB and 2 vcores",
      about = "container",
      settings = {
        "mapreduce.map.memory.mb=1408",
        "mapreduce.reduce.memory.mb=1024",
        "mapreduce.map.cpu.vcores=2",
        "mapreduce.reduce.cpu.vcores=3"
      })
  static final class LargeContainers implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return context.getConfiguration().get("mapreduce.map.memory.mb");
    }
  }

  @Hostile(
      value = "finds the folder of a file that is no jar on its class path",
      about = "class-path",
      classPathFiles = "hostile.table")
  static final class ClassPathFile implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.util.List<String> seen = new java.util.ArrayList<>();
      for (String each : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
        if (each.endsWith("hostile.table")) {
          seen.add(java.nio.file.Files.readString(java.nio.file.Path.of(each)).trim());
        }
      }
      return seen.toString();
    }
  }
}
