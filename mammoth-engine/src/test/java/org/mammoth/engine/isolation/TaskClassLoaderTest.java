// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.util.ApplicationClassLoader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.isolation.loading.SystemClasses;
import org.mammoth.engine.isolation.rewrite.CallRewriter;
import org.mammoth.engine.isolation.standins.files.TaskFile;

@Timeout(60)
class TaskClassLoaderTest {
  @TempDir static Path dir;
  static Path classes;
  static Path jar;

  @BeforeAll
  static void compile() throws Exception {
    classes =
        UserCode.compile(
            dir,
            UserCode.function(
                "Counter", "return \"\" + ++count; } static int count; { hashCode();"),
            "package a.b; public class Plain { public int x = 1; public long y() { return 1L << 50; } }",
            // The same name as a class of a library the parent has.
            "package org.apache.commons.io; public class FileUtils { }");
    Path notes = Files.createDirectories(dir.resolve("lib"));
    UserCode.jar(notes.resolve("more.jar"), null, Map.of("more.txt", "more"));
    jar =
        UserCode.jar(
            dir.resolve("job one.jar"),
            classes,
            Map.of(
                "META-INF/MANIFEST.MF",
                "Manifest-Version: 1.0\nClass-Path: lib/more.jar lib/missing.jar\nImplementation-Title: job\n",
                "data/some file.txt",
                "text"));
  }

  private static TaskClassLoader parentFirst() throws Exception {
    return new TaskClassLoader(
        "p",
        UserCode.urls(jar),
        TaskClassLoaderTest.class.getClassLoader(),
        CallRewriter.standard());
  }

  private static TaskClassLoader childFirst(String... system) throws Exception {
    return new TaskClassLoader(
        "c",
        UserCode.urls(jar),
        TaskClassLoaderTest.class.getClassLoader(),
        List.of(system),
        CallRewriter.standard(),
        (loader, code) -> code);
  }

  @Test
  void staticsAreSeparate() throws Exception {
    try (Task a = new Task(dir, "a", jar);
        Task b = new Task(dir, "b", jar)) {
      assertThat(a.call("Counter", "")).isEqualTo("1");
      assertThat(a.call("Counter", "")).isEqualTo("2");
      assertThat(b.call("Counter", "")).isEqualTo("1");
    }
  }

  @Test
  void theParentsClassComesFirstUnlessToldOtherwise() throws Exception {
    String name = "org.apache.commons.io.FileUtils";
    try (TaskClassLoader p = parentFirst();
        TaskClassLoader c = childFirst("java.", "org.apache.hadoop.");
        TaskClassLoader s = childFirst("java.", "org.apache.commons.");
        TaskClassLoader x = childFirst("java.", "org.apache.commons.", "-org.apache.commons.io.")) {
      assertThat(p.loadClass(name).getClassLoader()).isNotSameAs(p);
      assertThat(c.loadClass(name).getClassLoader()).isSameAs(c);
      assertThat(s.loadClass(name).getClassLoader()).isNotSameAs(s);
      assertThat(x.loadClass(name).getClassLoader()).isSameAs(x);
      assertThat(c.loadClass("org.apache.commons.io.IOUtils").getClassLoader())
          .as("what the child has not, the parent gives")
          .isSameAs(p.getParent());
      assertThat(c.loadClass(TaskFile.class.getName())).isSameAs(TaskFile.class);
      assertThatThrownBy(() -> c.loadClass("no.such.Type"))
          .isInstanceOf(ClassNotFoundException.class);
    }
  }

  /** As in a process, where they are on the class path, and the job's loader is above that. */
  @Test
  void jarsOfTheNodeComeAfterTheParents() throws Exception {
    Path added =
        UserCode.compile(
            Files.createDirectories(dir.resolve("node")),
            "package a.b; public class Plain { }",
            "package a.b; public class Added { }",
            "package org.apache.hadoop.added; public class OfSystem { }",
            "package org.apache.commons.io; public class IOUtils { }");
    Path node =
        UserCode.jar(dir.resolve("node.jar"), added, Map.of("org/apache/hadoop/added/f", "text"));
    try (TaskClassLoader c = childFirst("java.", "org.apache.hadoop.")) {
      c.behind(UserCode.urls(node));
      assertThat(c.loadClass("a.b.Plain").getProtectionDomain().getCodeSource().getLocation())
          .as("the job's comes first")
          .isEqualTo(UserCode.urls(jar)[0]);
      assertThat(c.loadClass("org.apache.commons.io.IOUtils").getClassLoader())
          .as("then what all share")
          .isSameAs(c.getParent());
      assertThat(c.loadClass("a.b.Added").getClassLoader()).isSameAs(c);
      assertThat(c.loadClass("org.apache.hadoop.added.OfSystem").getClassLoader()).isSameAs(c);
      assertThat(c.loadClass("org.apache.hadoop.added.OfSystem"))
          .isSameAs(c.loadClass("org.apache.hadoop.added.OfSystem"));
      assertThat(c.getResource("org/apache/hadoop/added/f")).isNotNull();
      assertThat(c.isShared("a/b/Added")).isFalse();
      assertThat(c.isShared("org/apache/hadoop/added/OfSystem")).isFalse();
      assertThat(c.isShared("org/apache/commons/io/IOUtils")).isTrue();
    }
  }

  /** Where a class or file is found, of the job's own, of what all share, or not at all. */
  private static String found(ClassLoader loader, String name) {
    if (name.contains("/")) {
      URL url = loader.getResource(name);
      return url == null ? "nowhere" : url.toString().contains(jar.toString()) ? "own" : "shared";
    }
    try {
      return loader.loadClass(name).getClassLoader() == loader ? "own" : "shared";
    } catch (ClassNotFoundException e) {
      return "nowhere";
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.",
        "java.,Counter",
        "java.,org.apache.commons.",
        "java.,org.apache.commons.,-org.apache.commons.io.",
        "java.,data.,META-INF."
      })
  void withClassesOfItsOwnFirstItFindsWhatHadoopsLoaderDoes(String system) throws Exception {
    List<String> names =
        List.of(
            "Counter",
            "org.apache.commons.io.FileUtils",
            "org.apache.commons.io.IOUtils",
            "java.util.List",
            "no.such.Type",
            "data/some file.txt",
            "META-INF/MANIFEST.MF",
            "no/such.file");
    ClassLoader parent = TaskClassLoaderTest.class.getClassLoader();
    List<String> patterns = List.of(system.split(","));
    try (TaskClassLoader ours = childFirst(system.split(","));
        ApplicationClassLoader hadoops =
            new ApplicationClassLoader(UserCode.urls(jar), parent, patterns)) {
      for (String name : names) {
        assertThat(found(ours, name)).as(name).isEqualTo(found(hadoops, name));
      }
    }
  }

  @Test
  void systemClassesFollowHadoopsSyntax() {
    SystemClasses some =
        new SystemClasses(
            List.of(" java.", "-org.x.y.", "org.x.", "org.z.Type", "core-default.xml", ""));
    assertThat(
            List.of(
                "java.lang.String",
                "org.x.A",
                "org.z.Type",
                "org.z.Type$Inner",
                "core-default.xml",
                "/org/x/res.txt"))
        .allMatch(some::contains);
    assertThat(List.of("javax.A", "org.x.y.A", "org.z.Types", "org.z", "a.B"))
        .noneMatch(some::contains);
  }

  @Test
  void aClassKeepsItsSourceAndPackage() throws Exception {
    try (TaskClassLoader p = parentFirst()) {
      Class<?> plain = p.loadClass("a.b.Plain");
      assertThat(plain.getProtectionDomain().getCodeSource().getLocation())
          .isEqualTo(jar.toUri().toURL());
      assertThat(plain.getPackage().getName()).isEqualTo("a.b");
      assertThat(plain.getPackage().getImplementationTitle()).isEqualTo("job");
    }
  }

  @Test
  void aClassThatAsksNothingOfItsProcessStaysAsItIs() throws Exception {
    byte[] plain = Files.readAllBytes(classes.resolve("a/b/Plain.class"));
    assertThat(CallRewriter.standard().rewrite(plain)).isSameAs(plain);
    byte[] notAClass = {1, 2, 3, 4, 5, 6, 7, 99, 0, 0};
    assertThat(CallRewriter.standard().rewrite(notAClass)).isSameAs(notAClass);
  }

  @Test
  void resourcesAreFoundInOrderManifestsIncluded() throws Exception {
    try (TaskClassLoader p = parentFirst()) {
      assertThat(read(p.getResourceAsStream("data/some file.txt"))).isEqualTo("text");
      assertThat(read(p.getResource("data/some file.txt").openStream())).isEqualTo("text");
      assertThat(read(p.getResourceAsStream("more.txt"))).isEqualTo("more");
      assertThat(Collections.list(p.getResources("a/b/Plain.class"))).hasSize(1);
      assertThat(p.getResource("nothing")).isNull();
      assertThat(p.getResourceAsStream("nothing")).isNull();
      assertThat(p.getURLs()).containsExactly(jar.toUri().toURL());
    }
  }

  @Test
  void closingOneLoaderLeavesAnotherOfTheSameJarAlone() throws Exception {
    try (TaskClassLoader stays = parentFirst()) {
      TaskClassLoader goes = parentFirst();
      URL url = goes.getResource("data/some file.txt");
      try (InputStream half = stays.getResourceAsStream("data/some file.txt")) {
        assertThat(half.read()).isEqualTo('t');
        assertThat(read(goes.getResourceAsStream("data/some file.txt"))).isEqualTo("text");
        goes.close();
        assertThat(read(half)).isEqualTo("ext");
      }
      assertThat(read(url.openStream())).isEqualTo("text");
      assertThatThrownBy(() -> goes.loadClass("a.b.Plain"))
          .isInstanceOf(ClassNotFoundException.class);
      assertThat(stays.loadClass("a.b.Plain")).isNotNull();
    }
  }

  @Test
  void aClosedLoaderHoldsNoFileOpen() throws Exception {
    Path copy = Files.copy(jar, dir.resolve("closed.jar"));
    try (TaskClassLoader p =
        new TaskClassLoader("p", UserCode.urls(copy), null, CallRewriter.standard())) {
      p.loadClass("a.b.Plain");
      assertThat(read(p.getResource("data/some file.txt").openStream())).isEqualTo("text");
      assertThat(openFiles(copy)).isPositive();
    }
    assertThat(openFiles(copy)).isZero();
  }

  private static long openFiles(Path file) throws Exception {
    long open = 0;
    try (var descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path d : descriptors) {
        if (Files.exists(d) && Files.isSameFile(d, file)) {
          open++;
        }
      }
    }
    return open;
  }

  private static String read(InputStream in) throws Exception {
    try (in) {
      return new String(in.readAllBytes());
    }
  }
}
