// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What documents point to is there. */
class DocumentsTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
  private static final Pattern SCRIPT =
      Pattern.compile("(dev-support/(?:bin|lab|tools)/[\\w.-]*\\w)");

  private static final Pattern COMMAND =
      Pattern.compile("(?:bin/|(?m)^    )((?:mammoth|mapred|hdfs|yarn) [a-z][\\w-]*)");

  private static List<Path> documents() throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path folder : List.of(ROOT, ROOT.resolve("docs"))) {
      try (Stream<Path> files = Files.walk(folder, folder == ROOT ? 1 : Integer.MAX_VALUE)) {
        files
            .filter(file -> file.toString().endsWith(".md") || file.endsWith("BUILDING.txt"))
            .forEach(all::add);
      }
    }
    return all;
  }

  private static List<String> found(Pattern pattern, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  @Test
  void linksLeadToFiles() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path document : documents()) {
      for (String link : found(LINK, Files.readString(document))) {
        if (link.contains("://") || link.startsWith("mailto:")) {
          continue;
        }
        links++;
        if (!Files.exists(document.resolveSibling(link))) {
          broken.add(document + " -> " + link);
        }
      }
    }
    assertThat(links).isGreaterThan(50);
    assertThat(broken).isEmpty();
  }

  @Test
  void scriptsThatAreNamedExist() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Path document : documents()) {
      for (String script : found(SCRIPT, Files.readString(document))) {
        if (!Files.exists(ROOT.resolve(script))) {
          missing.add(document + " -> " + script);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void commandsThatAreNamedExist() throws IOException {
    Path launchers = ROOT.resolve("hadoop-dist/src/main/bin");
    List<String> missing = new ArrayList<>();
    int commands = 0;
    for (Path document : documents()) {
      for (String command : found(COMMAND, Files.readString(document))) {
        commands++;
        String[] words = command.split(" ");
        String launcher = Files.readString(launchers.resolve(words[0]));
        if (!launcher.contains("\n" + words[1] + "|") && !launcher.contains("'" + words[1] + "|")) {
          missing.add(document + " -> " + command);
        }
      }
    }
    assertThat(commands).isGreaterThan(10);
    assertThat(missing).isEmpty();
  }
}
