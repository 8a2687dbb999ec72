// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.UserCode;

/**
 * Whole libraries, made by several compilers and full of what we rewrite, still pass the JVM's
 * verifier afterwards.
 */
@Timeout(300)
class RewrittenLibrariesTest {
  // -Drewritten.libraries=. takes all of the class path.
  private static final Pattern LIBRARIES =
      Pattern.compile(
          System.getProperty(
              "rewritten.libraries", "commons-(io|compress|lang3)|hadoop-common|kotlin-stdlib"));

  @Test
  void verify() throws Exception {
    List<Path> jars =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(p -> p.endsWith(".jar") && LIBRARIES.matcher(new File(p).getName()).find())
            .map(Path::of)
            .collect(Collectors.toList());
    assertThat(jars).hasSizeGreaterThan(2);
    List<String> refused = new ArrayList<>();
    int verified = 0;
    int rewritten = 0;
    try (TaskClassLoader loader =
        new TaskClassLoader(
            "libraries",
            UserCode.urls(jars.toArray(new Path[0])),
            getClass().getClassLoader(),
            List.of("java."),
            CallRewriter.standard(),
            (own, code) -> code)) {
      for (Path jar : jars) {
        for (String name : classes(jar)) {
          try {
            // Asking for its methods links a class, which verifies it, and does not initialize it.
            Class<?> c = Class.forName(name, false, loader);
            c.getDeclaredMethods();
            verified++;
          } catch (VerifyError | ClassFormatError | IncompatibleClassChangeError e) {
            refused.add(name + ": " + e.getMessage());
          } catch (LinkageError | ClassNotFoundException optional) {
            // Needs a library that is not here.
            continue;
          }
        }
        rewritten += rewritten(jar);
      }
    }
    System.out.printf(
        "%d jars, %d classes verified, %d rewritten%n", jars.size(), verified, rewritten);
    assertThat(refused).isEmpty();
    assertThat(verified).isGreaterThan(1000);
    assertThat(rewritten).isGreaterThan(100);
  }

  private static int rewritten(Path jar) throws Exception {
    int n = 0;
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (entry.getName().endsWith(".class")) {
          byte[] code = zip.getInputStream(entry).readAllBytes();
          n += CallRewriter.standard().rewrite(code) == code ? 0 : 1;
        }
      }
    }
    return n;
  }

  private static List<String> classes(Path jar) throws Exception {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .map(e -> e.getName())
          .filter(
              n -> n.endsWith(".class") && !n.startsWith("META-INF/") && !n.endsWith("-info.class"))
          .map(n -> n.substring(0, n.length() - 6).replace('/', '.'))
          .collect(Collectors.toList());
    }
  }
}
