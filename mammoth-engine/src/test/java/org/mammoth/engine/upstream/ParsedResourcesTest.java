// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.Function;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Upstream's configurations beside those whose files are parsed once. */
class ParsedResourcesTest {

  private static final RewritingLoader LOADER =
      new RewritingLoader(Configuration.class.getName(), ParsedResources::rewrite);

  private static final Function<List<URL>, List<String>> UPSTREAMS = new Settings();
  private static final Function<List<URL>, List<String>> REWRITTEN = rewritten();

  private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000_000_000L);

  @TempDir private Path folder;

  @SuppressWarnings("unchecked")
  private static Function<List<URL>, List<String>> rewritten() {
    return (Function<List<URL>, List<String>>) LOADER.make(Settings.class);
  }

  private static Path write(Path file, byte[] bytes, FileTime time) throws IOException {
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, time);
    return file;
  }

  private static URL url(Path file) throws MalformedURLException {
    return file.toUri().toURL();
  }

  private static void assertSame(List<URL> files) {
    List<String> expected = UPSTREAMS.apply(files);
    for (int time = 0; time < 3; time++) {
      assertThat(REWRITTEN.apply(files)).as("time %s", time).isEqualTo(expected);
    }
  }

  @Property(tries = 200)
  void settingsAreUpstreams(@ForAll long seed) throws IOException {
    Path here = Files.createTempDirectory("settings");
    try {
      RandomSettings random = new RandomSettings(seed);
      Path other = here.resolve("other.xml");
      Path none = here.resolve("none.xml");
      Path first = here.resolve("first.xml");
      Path second = here.resolve("second.xml");
      List<URL> files = List.of(url(first), url(second));
      long time = LONG_AGO.toMillis();
      for (Path changed : List.of(other, second, first, other, first)) {
        // Upstream follows a file that includes itself until its stack is full.
        Charset charset = random.charset();
        String text = random.document(charset, changed.equals(other) ? none : other);
        time += 1_000;
        write(changed, text.getBytes(charset), FileTime.fromMillis(time));
        if (Files.exists(first)) {
          assertSame(files);
        }
      }
    } finally {
      try (var all = Files.list(here)) {
        for (Path file : all.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(here);
    }
  }

  @Test
  void theDefaultsAreUpstreams() {
    assertSame(List.of(Configuration.class.getClassLoader().getResource("core-default.xml")));
  }

  private static byte[] setting(String value) {
    return ("<configuration><property><name>a</name><value>"
            + value
            + "</value></property>"
            + "</configuration>")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> read(URL url) {
    return REWRITTEN.apply(List.of(url)).stream().filter(line -> line.startsWith("a = ")).toList();
  }

  /** Nothing else shows that files are parsed once. */
  @Test
  void whatHasNotChangedIsNotReadAgain() throws IOException {
    Path file = write(folder.resolve("s.xml"), setting("one"), LONG_AGO);
    assertThat(read(url(file)).get(0)).startsWith("a = one ");
    write(file, setting("two"), LONG_AGO);
    assertThat(read(url(file)).get(0)).startsWith("a = one ");
  }

  @Test
  void aFileThatHasJustChangedIsReadAgain() throws IOException {
    Path file = write(folder.resolve("s.xml"), setting("one"), LONG_AGO);
    assertThat(read(url(file)).get(0)).startsWith("a = one ");
    // Not long ago, however slow this test is.
    FileTime soon = FileTime.fromMillis(System.currentTimeMillis() + 3_600_000);
    for (String value : List.of("two", "six", "ten")) {
      // A disk with a coarse clock shows these as one time.
      write(file, setting(value), soon);
      assertThat(read(url(file)).get(0)).startsWith("a = " + value + " ");
    }
  }

  @Test
  void anotherFileOfTheSameNameSizeAndTimeIsRead() throws IOException {
    Path file = write(folder.resolve("s.xml"), setting("one"), LONG_AGO);
    assertThat(read(url(file)).get(0)).startsWith("a = one ");
    Path next = write(folder.resolve("next.xml"), setting("two"), LONG_AGO);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    assertThat(read(url(file)).get(0)).startsWith("a = two ");
  }

  @Test
  void entriesOfJarsAreTold() throws IOException {
    Path jar = folder.resolve("a b.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (String value : List.of("one", "two")) {
        zip.putNextEntry(new ZipEntry(value + ".xml"));
        zip.write(setting(value));
      }
    }
    Files.setLastModifiedTime(jar, LONG_AGO);
    for (int time = 0; time < 2; time++) {
      for (String value : List.of("one", "two")) {
        URL url = URI.create("jar:" + jar.toUri() + "!/" + value + ".xml").toURL();
        assertThat(read(url).get(0)).startsWith("a = " + value + " ");
      }
    }
  }

  @Test
  void whatIsMissingIsMissingAsUpstream() throws IOException {
    assertSame(List.of(url(folder.resolve("none.xml"))));
    Path file = write(folder.resolve("s.xml"), setting("one"), LONG_AGO);
    assertSame(List.of(url(file)));
    Files.delete(file);
    assertSame(List.of(url(file)));
  }

  @Test
  void configurationIsOneThatIsKnown() throws IOException {
    byte[] original = RewritingLoader.code(Configuration.class.getName());
    assertThat(ParsedResources.rewrite(original)).isPresent();
    assertThat(ParsedResources.rewrite(RewritingLoader.code(Settings.class.getName()))).isEmpty();
  }
}
