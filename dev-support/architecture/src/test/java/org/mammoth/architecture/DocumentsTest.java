// SPDX-License-Identifier: Apache-2.0
package org.mammoth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What documents name is there: files, sections, commands, keys, classes and metrics. */
class DocumentsTest {

  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  /** Not ours, or made by a build or by a release that was started in the checkout. */
  private static final Set<String> LEFT_OUT =
      Set.of("target", "node_modules", ".git", "quickstart-data", "console-cluster-data");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(#[^)\\s]+)?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern COMMAND = Pattern.compile("dev-support/bin/([\\w-]+)");
  private static final Pattern KEY =
      Pattern.compile("(?<![\\w.-])(?:mammoth|mpcache)(?:\\.[a-z0-9-]+){2,}");
  private static final Pattern NAME = Pattern.compile("`(?:[a-z]+\\.)*([A-Z][a-z]+[A-Z]\\w*)");
  private static final Pattern WORD = Pattern.compile("\\w+");

  private static final Map<Path, String> DOCUMENTS = new TreeMap<>();

  /** Every word of every source file, and what comes after its "get". */
  private static final Set<String> WORDS = new HashSet<>();

  private static final StringBuilder SOURCES = new StringBuilder();

  @BeforeAll
  static void read() throws IOException {
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            return LEFT_OUT.contains(dir.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = file.getFileName().toString();
            if (name.endsWith(".md") || name.equals("BUILDING.txt")) {
              DOCUMENTS.put(file, text(file));
            } else if (name.matches(".*\\.(java|tsx?|py|xml|txt)")) {
              SOURCES.append(text(file)).append('\n');
            }
            return FileVisitResult.CONTINUE;
          }
        });
    Matcher words = WORD.matcher(SOURCES);
    while (words.find()) {
      String word = words.group();
      WORDS.add(word);
      WORDS.add(word.startsWith("get") ? word.substring(3) : word);
    }
    assertThat(DOCUMENTS.keySet()).as("documents").hasSizeGreaterThan(20);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** What a pattern finds and a check refuses, each with its document. */
  private static List<String> refused(
      Pattern pattern, int group, java.util.function.Predicate<String> fine) {
    List<String> refused = new ArrayList<>();
    DOCUMENTS.forEach(
        (document, text) -> {
          Matcher found = pattern.matcher(text);
          while (found.find()) {
            if (!fine.test(found.group(group))) {
              refused.add(ROOT.relativize(document) + ": " + found.group(group));
            }
          }
        });
    return refused;
  }

  /** A star finds the archive as well as what was unpacked of it. */
  @Test
  void commandsEnterOneFolder() {
    assertThat(refused(Pattern.compile("(?m)^ {2,}.*\\b(cd \\S*\\*\\S*)"), 1, command -> false))
        .isEmpty();
  }

  @Test
  void archivesAreCalledAfterTheVersion() {
    Matcher version =
        Pattern.compile("<artifactId>mammoth</artifactId>\\s*<version>([^<]+)<")
            .matcher(text(ROOT.resolve("pom.xml")));
    assertThat(version.find()).as("a version in pom.xml").isTrue();
    Pattern archive = Pattern.compile("mammoth-(?:addon-)?(\\d[\\w.-]*?)\\.tar\\.gz");
    assertThat(refused(archive, 1, version.group(1)::equals)).isEmpty();
  }

  @Test
  void linksLeadToFilesAndSections() {
    List<String> broken = new ArrayList<>();
    DOCUMENTS.forEach(
        (document, text) -> {
          Matcher link = LINK.matcher(text);
          while (link.find()) {
            if (!link.group(1).matches("[a-z]+:.*") && !leads(document, link)) {
              broken.add(ROOT.relativize(document) + ": " + link.group());
            }
          }
        });
    assertThat(broken).isEmpty();
  }

  private static boolean leads(Path document, Matcher link) {
    Path target =
        link.group(1).isEmpty()
            ? document
            : document.resolveSibling(link.group(1)).toAbsolutePath().normalize();
    if (!Files.exists(target)) {
      return false;
    }
    String section = link.group(2);
    return section == null
        || !DOCUMENTS.containsKey(target)
        || sections(DOCUMENTS.get(target)).contains(section.substring(1));
  }

  /** Names of a document's sections as the pages of a Git host have them. */
  private static Set<String> sections(String text) {
    Set<String> sections = new HashSet<>();
    Matcher heading = HEADING.matcher(text);
    while (heading.find()) {
      sections.add(
          heading
              .group(1)
              .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\w\\- ]", "")
              .strip()
              .replace(' ', '-'));
    }
    return sections;
  }

  @Test
  void commandsAreThere() {
    Path commands = ROOT.resolve("dev-support").resolve("bin");
    assertThat(refused(COMMAND, 1, name -> Files.isExecutable(commands.resolve(name)))).isEmpty();
  }

  @Test
  void keysStandInTheSources() {
    String sources = SOURCES.toString();
    assertThat(refused(KEY, 0, key -> sources.contains(key))).isEmpty();
  }

  /** Upstream's tests are its own; of some metrics there is one for each kind of I/O. */
  private static boolean isMade(String name) {
    return name.matches("(Hadoop)?Test[A-Z]\\w+") || name.matches("Io(Read|Write)Bytes[A-Z]\\w+");
  }

  @Test
  void classesAndMetricsStandInTheSources() {
    assertThat(refused(NAME, 1, name -> WORDS.contains(name) || isMade(name))).isEmpty();
  }
}
