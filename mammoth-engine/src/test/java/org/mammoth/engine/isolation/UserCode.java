// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles what a user might write, at test time, so that it is nowhere on the test's own class
 * path.
 */
public final class UserCode {
  private static final Pattern NAME =
      Pattern.compile("public (?:final )?(?:class|interface|enum) (\\w+)");
  private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");

  private UserCode() {}

  /** Compiles the sources below {@code dir/src} to {@code dir/classes}, which is returned. */
  public static Path compile(Path dir, String... sources) throws IOException {
    Path src = Files.createDirectories(dir.resolve("src"));
    Path classes = Files.createDirectories(dir.resolve("classes"));
    List<String> args =
        new ArrayList<>(List.of("-d", classes.toString(), "-nowarn", "-proc:none", "-Xlint:none"));
    args.addAll(List.of("-cp", System.getProperty("java.class.path")));
    for (String source : sources) {
      Matcher name = NAME.matcher(source);
      if (!name.find()) {
        throw new IllegalArgumentException("no public class in " + source);
      }
      Matcher pkg = PACKAGE.matcher(source);
      Path folder = pkg.find() ? src.resolve(pkg.group(1).replace('.', '/')) : src;
      Path file = Files.createDirectories(folder).resolve(name.group(1) + ".java");
      Files.writeString(file, source);
      args.add(file.toString());
    }
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    if (javac.run(null, System.err, System.err, args.toArray(new String[0])) != 0) {
      throw new IllegalArgumentException("user code does not compile");
    }
    return classes;
  }

  /** A function class: its body sees {@code String in} and returns a String. */
  public static String function(String name, String body) {
    return "import java.io.*; import java.nio.file.*; import java.util.*; import java.util.function.*;\n"
        + "public class "
        + name
        + " implements Function<String, String> {\n"
        + "  public String apply(String in) { try { return go(in); }\n"
        + "    catch (RuntimeException e) { throw e; } catch (Exception e) { throw new RuntimeException(e); } }\n"
        + "  String go(String in) throws Exception {\n"
        + body
        + "\n  }\n}\n";
  }

  /** Packs a folder and further entries into a jar. */
  public static Path jar(Path jar, Path folder, Map<String, String> more) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      for (Map.Entry<String, String> e : more.entrySet()) {
        entries.putNextEntry(new JarEntry(e.getKey()));
        entries.write(e.getValue().getBytes());
      }
      if (folder != null) {
        try (Stream<Path> files = Files.walk(folder)) {
          for (Path f : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
            entries.putNextEntry(new JarEntry(folder.relativize(f).toString()));
            entries.write(Files.readAllBytes(f));
          }
        }
      }
    }
    return jar;
  }

  public static URL[] urls(Path... entries) throws IOException {
    URL[] urls = new URL[entries.length];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = entries[i].toUri().toURL();
    }
    return urls;
  }

  /** What a JVM prints that runs a compiled class in a folder, with these variables alone. */
  public static String run(String main, Path classes, Path work, Map<String, String> env)
      throws Exception {
    File java = new File(System.getProperty("java.home"), "bin/java");
    ProcessBuilder jvm =
        new ProcessBuilder(java.getPath(), "-cp", classes.toString(), main)
            .directory(work.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    jvm.environment().clear();
    jvm.environment().putAll(env);
    Process process = jvm.start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).isZero();
    return said;
  }
}
