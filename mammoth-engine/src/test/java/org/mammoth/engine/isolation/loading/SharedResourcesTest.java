// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.loading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever comes and goes in folders of a class path: found is what a loader finds. */
class SharedResourcesTest {

  private static final List<String> NAMES =
      List.of(
          "a-default.xml", "a-site.xml", "b.xml", "c.xml", "other.txt", "in/a.xml", "/a.xml", "");

  @TempDir private Path root;

  private Path jar(String name, String... names) throws IOException {
    Path jar = root.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String each : names) {
        out.putNextEntry(new JarEntry(each));
        out.write(each.getBytes());
      }
    }
    return jar;
  }

  @Test
  void findsWhatTheLoaderFinds() throws IOException {
    long seed = System.nanoTime();
    System.out.println("SharedResourcesTest seed " + seed);
    Random random = new Random(seed);
    Path first = Files.createDirectory(root.resolve("first"));
    Path last = Files.createDirectories(root.resolve("last/in")).getParent();
    List<Path> classPath =
        List.of(
            first,
            jar("one.jar", "a-default.xml", "b.xml"),
            last,
            jar("two.jar", "b.xml", "c.xml", "in/a.xml"));
    List<URL> urls = new ArrayList<>();
    for (Path each : classPath) {
      urls.add(each.toUri().toURL());
    }
    String told =
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    int changes = 0;
    try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), null);
        URLClassLoader other = new URLClassLoader(new URL[] {last.toUri().toURL()}, null)) {
      SharedResources resources = new SharedResources(loader, told);
      for (int round = 0; round < 3_000; round++) {
        if (random.nextInt(3) == 0) {
          Path file = (random.nextBoolean() ? first : last).resolve(NAMES.get(random.nextInt(5)));
          if (!Files.deleteIfExists(file)) {
            Files.writeString(file, "here");
          }
          changes++;
        }
        String name = NAMES.get(random.nextInt(NAMES.size()));
        assertThat(resources.find(loader, name)).as(name).isEqualTo(loader.getResource(name));
        assertThat(resources.find(other, name)).as(name).isEqualTo(other.getResource(name));
      }
    }
    assertThat(changes).isPositive();
  }
}
