// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.Release;

/** An installation as upgrades see it: names and settings, no program. */
final class TestTree {

  private final Path folder;
  final HadoopTree hadoop;

  TestTree(Path folder) throws IOException {
    this.folder = folder;
    Path home = folder.resolve("hadoop");
    Files.createDirectories(home.resolve("share/hadoop/common"));
    Files.createDirectories(home.resolve("etc/hadoop"));
    Files.createDirectories(home.resolve("libexec"));
    Files.writeString(home.resolve("share/hadoop/common/hadoop-common-3.4.2.jar"), "");
    Files.writeString(
        home.resolve("etc/hadoop/yarn-site.xml"),
        "<configuration><property><name>mine</name><value>1</value></property></configuration>");
    hadoop = HadoopTree.at(home, null);
  }

  /** A release of some jars; another number gives another id. */
  Release release(int number) throws IOException {
    Path base = folder.resolve("release" + number);
    Path jars = base.resolve("share/hadoop/mammoth");
    Files.createDirectories(jars.resolve("upgrade"));
    Files.writeString(jars.resolve("VERSION"), "Mammoth 0." + number + ".0\nHadoop 3.4.2\n");
    Files.writeString(jars.resolve("upgrade/profile.sh"), "# Written by mammoth-upgrade.\n");
    Files.writeString(jars.resolve("a.jar"), "a" + number);
    Files.writeString(jars.resolve("b.jar"), "b");
    return Release.at(base);
  }

  /** Every file, link and folder of the installation, with contents. */
  SortedMap<String, String> contents() throws IOException {
    SortedMap<String, String> contents = new TreeMap<>();
    try (Stream<Path> all = Files.walk(hadoop.home())) {
      for (Path path : all.toList()) {
        contents.put(hadoop.home().relativize(path).toString(), content(path));
      }
    }
    return contents;
  }

  private static String content(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return "-> " + Files.readSymbolicLink(path);
    }
    String mode = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).toString();
    return Files.isDirectory(path) ? mode : mode + Files.readString(path);
  }
}
