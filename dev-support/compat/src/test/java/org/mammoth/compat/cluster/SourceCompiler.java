// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles sources that a test made, as a user's build would. */
public final class SourceCompiler {
  private SourceCompiler() {}

  /**
   * Compiles against what containers have on their class path.
   *
   * @param sources class name with its package to text
   * @param more options beyond, such as exports of the JDK's packages
   * @param classPath folders and jars beside the containers' class path
   * @param classes where the classes go; made if it does not exist
   * @throws IOException with the compiler's messages
   */
  public static Path compile(
      Map<String, String> sources, List<String> more, List<Path> classPath, Path classes)
      throws IOException {
    Files.createDirectories(classes);
    StringBuilder path = new StringBuilder(MiniCluster.classPath());
    classPath.forEach(entry -> path.append(java.io.File.pathSeparator).append(entry));
    List<String> options = new ArrayList<>(more);
    options.addAll(
        List.of("-d", classes.toString(), "-proc:none", "-nowarn", "-classpath", path.toString()));
    List<JavaFileObject> files = new ArrayList<>();
    sources.forEach((name, text) -> files.add(file(name, text)));
    StringWriter messages = new StringWriter();
    if (!ToolProvider.getSystemJavaCompiler()
        .getTask(messages, null, null, options, null, files)
        .call()) {
      throw new IOException(messages.toString());
    }
    return classes;
  }

  private static JavaFileObject file(String name, String text) {
    return new SimpleJavaFileObject(
        URI.create("string:///" + name.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }
}
