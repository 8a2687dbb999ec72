// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import javax.tools.DiagnosticListener;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.Tool;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;
import org.mammoth.engine.isolation.standins.files.PathCalls;

/**
 * What rewritten code calls instead of the JDK's compiler, which reads names of files and the class
 * path inside the JDK: as an object it gets the task's, as a command line it needs a process.
 * Stateless, thread-safe.
 */
public final class CompilerCalls {
  private CompilerCalls() {}

  /** {@code JavaCompiler.run}. */
  @Replaces(value = JavaCompiler.class, receiver = true)
  public static int run(
      JavaCompiler compiler,
      InputStream in,
      OutputStream out,
      OutputStream err,
      String... arguments) {
    return run((Tool) compiler, in, out, err, arguments);
  }

  /** {@code Tool.run}. */
  @Replaces(value = Tool.class, receiver = true)
  public static int run(
      Tool tool, InputStream in, OutputStream out, OutputStream err, String... arguments) {
    ProcessNeed.because("Tool.run");
    return tool.run(in, out, err, arguments);
  }

  /** {@code java.util.spi.ToolProvider.run}. */
  @Replaces(value = ToolProvider.class, receiver = true)
  public static int run(ToolProvider tool, PrintStream out, PrintStream err, String... arguments) {
    ProcessNeed.because("ToolProvider.run of " + tool.name());
    return tool.run(out, err, arguments);
  }

  /** {@code java.util.spi.ToolProvider.run}. */
  @Replaces(value = ToolProvider.class, receiver = true)
  public static int run(ToolProvider tool, PrintWriter out, PrintWriter err, String... arguments) {
    ProcessNeed.because("ToolProvider.run of " + tool.name());
    return tool.run(out, err, arguments);
  }

  /** {@code JavaCompiler.getStandardFileManager}. */
  @Replaces(value = JavaCompiler.class, receiver = true)
  public static StandardJavaFileManager getStandardFileManager(
      JavaCompiler compiler,
      DiagnosticListener<? super JavaFileObject> listener,
      Locale locale,
      Charset charset) {
    StandardJavaFileManager files = compiler.getStandardFileManager(listener, locale, charset);
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      files.setPathFactory((first, more) -> process.workDir().resolve(Path.of(first, more)));
      setClassPath(files, process.properties().getProperty("java.class.path", ""));
    }
    return files;
  }

  /** {@code JavaCompiler.getTask}. */
  @Replaces(value = JavaCompiler.class, receiver = true)
  public static JavaCompiler.CompilationTask getTask(
      JavaCompiler compiler,
      Writer out,
      JavaFileManager files,
      DiagnosticListener<? super JavaFileObject> listener,
      Iterable<String> options,
      Iterable<String> classes,
      Iterable<? extends JavaFileObject> units) {
    JavaFileManager own =
        files == null ? getStandardFileManager(compiler, listener, null, null) : files;
    return compiler.getTask(out, own, listener, options, classes, units);
  }

  /** A compiler that is told none takes that of the environment, which is the process's own. */
  private static void setClassPath(StandardJavaFileManager files, String classPath) {
    List<Path> entries =
        Stream.of(classPath.split(File.pathSeparator))
            .filter(entry -> !entry.isEmpty())
            .map(entry -> PathCalls.path(Path.of(entry)))
            .toList();
    try {
      files.setLocationFromPaths(StandardLocation.CLASS_PATH, entries);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
