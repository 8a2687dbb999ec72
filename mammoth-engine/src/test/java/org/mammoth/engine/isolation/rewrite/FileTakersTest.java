// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Every public method and constructor of {@code java.*} and {@code javax.*} that takes a {@link
 * Path} has a stand-in that resolves a relative one against the task's folder, or stands in a list
 * with a reason: a JDK with a new one fails here.
 */
class FileTakersTest {
  private static final String PATH = "Ljava/nio/file/Path;";

  /** Open no file, or are called by the JDK with what it was given. */
  private static final Set<String> NEED_NONE =
      Set.of(
          "java/nio/file/Path.compareTo",
          "java/nio/file/Path.endsWith",
          "java/nio/file/Path.relativize",
          "java/nio/file/Path.resolve",
          "java/nio/file/Path.resolveSibling",
          "java/nio/file/Path.startsWith",
          "java/nio/file/PathMatcher.matches",
          "java/nio/file/spi/FileTypeDetector.probeContentType");

  @Test
  void eachMethodOfTheJdkThatTakesAPathHasAStandIn() throws IOException {
    CallTable table = new CallTable();
    Set<String> without = new TreeSet<>();
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    try (Stream<Path> files = Files.walk(modules)) {
      for (Path file : (Iterable<Path>) files.filter(FileTakersTest::isApi)::iterator) {
        ClassReader reader = new ClassReader(Files.readAllBytes(file));
        if (Modifier.isPublic(reader.getAccess())) {
          takers(reader).stream()
              .filter(each -> !NEED_NONE.contains(each.owner() + "." + each.name()))
              .filter(each -> !table.contains(each.owner(), each.name(), each.descriptor()))
              .forEach(each -> without.add(each.owner() + "." + each.name() + each.descriptor()));
        }
      }
    }
    assertThat(without).isEmpty();
  }

  private record Taker(String owner, String name, String descriptor) {}

  private static boolean isApi(Path file) {
    String name = file.toString();
    return name.endsWith(".class") && name.matches("/modules/[^/]+/javax?/.*");
  }

  private static Set<Taker> takers(ClassReader reader) {
    Set<Taker> found = new LinkedHashSet<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            boolean takes = descriptor.substring(0, descriptor.indexOf(')')).contains(PATH);
            if (Modifier.isPublic(access) && takes) {
              found.add(new Taker(reader.getClassName(), name, descriptor));
            }
            return null;
          }
        },
        ClassReader.SKIP_CODE);
    return found;
  }
}
