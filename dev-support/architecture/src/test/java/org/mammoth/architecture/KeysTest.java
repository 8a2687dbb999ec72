// SPDX-License-Identifier: Apache-2.0
package org.mammoth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mammoth.config.ConfigKey;
import org.mammoth.config.KeyReference;
import org.mammoth.config.names.KnownKeys;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mpcache.config.MpCacheKeys;

/**
 * The keys of all parts together: what is made of their declarations is current, and texts name
 * none that is not declared.
 */
class KeysTest {

  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  private static final List<ConfigKey<?>> ALL =
      Stream.of(EngineKeys.all(), MpCacheKeys.all(), ConsoleKeys.all())
          .<ConfigKey<?>>flatMap(List::stream)
          .toList();

  private static final Map<String, String> MADE =
      Map.of(
          "docs/configuration.md", EngineKeys.reference(),
          "docs/mpcache-configuration.md", MpCacheKeys.reference(),
          "docs/console/configuration.md", ConsoleKeys.reference(),
          "mammoth-config/src/main/resources/org/mammoth/config/names/mammoth-default.xml",
              KeyReference.defaultsXml(ALL));

  private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"");
  private static final Pattern KEY =
      Pattern.compile(
          "(?<![\\w.])mammoth\\.(?:engine|memory|io|shuffle|sort|appmaster|cds|data-cache|mpcache"
              + "|console)(?:\\.[a-z0-9-]+)+(?![\\w-]|\\.')");

  /** System properties and secrets of an engine's own, which no configuration has. */
  private static final List<String> NO_KEYS =
      List.of(
          "mammoth.engine.divided-mb",
          "mammoth.engine.share-mb",
          "mammoth.engine.user",
          "mammoth.engine.secret",
          "mammoth.engine.settings");

  /** Run Maven with {@code -Dtest.heap="1g -Dmammoth.update.docs=true"} to write them anew. */
  @Test
  void whatIsMadeOfDeclarationsIsCurrent() throws IOException {
    for (Map.Entry<String, String> made : MADE.entrySet()) {
      Path file = ROOT.resolve(made.getKey());
      if (Boolean.getBoolean("mammoth.update.docs")) {
        Files.writeString(file, made.getValue());
      }
      assertThat(file).hasContent(made.getValue());
    }
  }

  @Test
  void eachNameIsDeclaredOnceAndKnown() {
    KnownKeys known = new KnownKeys(KeyReference.defaultsXml(ALL));
    assertThat(ALL)
        .hasSizeGreaterThan(150)
        .extracting(ConfigKey::name)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.startsWith(KnownKeys.PREFIX))
        .allMatch(known::has);
  }

  @Test
  void sourcesAndSiteFilesNameKeysThatThereAre() throws IOException {
    KnownKeys known = new KnownKeys(KeyReference.defaultsXml(ALL));
    List<String> unknown = new ArrayList<>();
    for (Path source : sources()) {
      String text = Files.readString(source);
      Matcher literal =
          (source.toString().endsWith(".java") ? LITERAL : Pattern.compile("(?s).*")).matcher(text);
      while (literal.find()) {
        Matcher key = KEY.matcher(literal.group());
        while (key.find()) {
          if (!known.has(key.group()) && !NO_KEYS.contains(key.group())) {
            unknown.add(ROOT.relativize(source) + ": " + key.group());
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String module :
        List.of(
            "console-ui/src/main/java",
            "console-ui/src/main/web/src",
            "hadoop-dist/src/main/addon",
            "hadoop-dist/src/main/conf",
            "hadoop-hdfs-project/src/main",
            "hadoop-mapreduce-project/src/main",
            "mammoth-engine/src/main",
            "mammoth-upgrade/src/main",
            "mpcache/src/main")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
        files
            .filter(file -> file.toString().matches(".*\\.(java|tsx?|xml|sh)"))
            .forEach(found::add);
      }
    }
    assertThat(found).hasSizeGreaterThan(500);
    return found;
  }
}
