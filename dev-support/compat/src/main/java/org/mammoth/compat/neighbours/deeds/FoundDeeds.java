// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.commons.compress.compressors.brotli.BrotliCompressorInputStream;
import org.apache.hadoop.fs.HostileMate;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.brotli.dec.BrotliInputStream;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;

/** Programs whose classes and libraries the JVM finds, makes or loads in ways of its own. */
public final class FoundDeeds {
  private FoundDeeds() {}

  @Hostile(
      value = "reads a URL of a protocol that its jar names in META-INF/services",
      about = "jdk-service",
      mayNeedProcess = true,
      services =
          "java.net.spi.URLStreamHandlerProvider=org.mammoth.compat.neighbours.parts.MarkUrls")
  static final class UrlProtocol implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      try (InputStream in = new URL("hostile:text").openStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }

  @Hostile(
      value = "asks for a type of file that its jar detects",
      about = "jdk-service",
      mayNeedProcess = true,
      services = "java.nio.file.spi.FileTypeDetector=org.mammoth.compat.neighbours.parts.MarkTypes")
  static final class FileTypes implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return Files.probeContentType(Path.of("x.hostile"));
    }
  }

  @Hostile(
      value = "logs by a finder of loggers that its jar brings",
      about = "jdk-service",
      mayNeedProcess = true,
      services = "java.lang.System$LoggerFinder=org.mammoth.compat.neighbours.parts.MarkLoggers")
  static final class Loggers implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return System.getLogger("x").getName();
    }
  }

  @Hostile(
      value = "names packages of protocols in a system property",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class UrlPackages implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      System.setProperty("java.protocol.handler.pkgs", MARK);
      return System.getProperty("java.protocol.handler.pkgs");
    }
  }

  @Hostile(
      value = "brings a class that one of Hadoop's libraries lacks",
      about = "shared-gap",
      mayNeedProcess = true,
      library = BrotliInputStream.class)
  static final class LibraryLacks implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      byte[] text = MARK.getBytes(StandardCharsets.UTF_8);
      try (InputStream in = new BrotliCompressorInputStream(new ByteArrayInputStream(text))) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (LinkageError e) {
        // Its task is to fail of it.
        throw new Error("the library", e);
      }
    }
  }

  @Hostile(
      value = "has a class in Hadoop's package that uses what is not public",
      about = "package",
      mayNeedProcess = true,
      library = HostileMate.class)
  static final class PackageMate implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return HostileMate.open();
    }
  }

  @Hostile(
      value = "defines a class beside one of Hadoop's",
      about = "class-loader",
      mayNeedProcess = true,
      library = HostileMate.class)
  static final class DefinedBeside implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      byte[] code;
      try (InputStream in =
          DefinedBeside.class.getResourceAsStream("/org/apache/hadoop/fs/HostileMate.class")) {
        code = in.readAllBytes();
      }
      Class<?> defined =
          MethodHandles.privateLookupIn(
                  org.apache.hadoop.fs.FileSystem.class, MethodHandles.lookup())
              .defineClass(code);
      return defined.getSimpleName() + (defined.getClassLoader() == Text.class.getClassLoader());
    }
  }

  @Hostile(value = "climbs the class loaders", about = "class-loader")
  static final class LoaderChain implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      List<Object> chain = new ArrayList<>();
      ClassLoader each = LoaderChain.class.getClassLoader().getParent();
      while (each != null) {
        chain.add(each.getName());
        each = each.getParent();
      }
      return chain + " " + (ClassLoader.getPlatformClassLoader().getParent() == null);
    }
  }

  @Hostile(value = "compiles a class against its job and Hadoop", about = "compiler")
  static final class Compiler implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Files.writeString(
          Path.of("Own.java"),
          "public class Own { public Object o = new org.apache.hadoop.io.Text();"
              + " public Class<?> c = org.mammoth.compat.neighbours.Deed.class; }");
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
        boolean good =
            compiler
                .getTask(
                    null, files, null, null, null, files.getJavaFileObjects(new File("Own.java")))
                .call();
        return good + " " + Files.exists(Path.of("Own.class"));
      }
    }
  }

  @Hostile(
      value = "compiles by the compiler's command line",
      about = "compiler",
      mayNeedProcess = true)
  static final class CompilerCommand implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Files.writeString(Path.of("Line.java"), "class Line {}");
      int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, "Line.java");
      return status + " " + Files.exists(Path.of("Line.class"));
    }
  }
}
