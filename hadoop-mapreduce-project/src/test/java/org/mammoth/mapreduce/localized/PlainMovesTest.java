// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.localized;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever lies where: moved by {@link PlainMoves}, it is as upstream moves it. */
class PlainMovesTest {

  /** What a name can have. */
  private enum Thing {
    NOTHING,
    FILE,
    EMPTY_FOLDER,
    FOLDER,
    LINK_TO_FILE,
    LINK_TO_FOLDER,
    BROKEN_LINK
  }

  /** Where it is moved to. */
  private static final List<String> TARGETS =
      List.of("to", "folder/to", "nowhere/to", "file/to", "link/to", "from", "from/to");

  @TempDir private Path root;

  private final Configuration conf = new Configuration();

  private static void make(Path at, Thing thing) throws IOException {
    switch (thing) {
      case FILE -> Files.writeString(at, "file");
      case EMPTY_FOLDER -> Files.createDirectory(at);
      case FOLDER -> {
        Files.createDirectory(at);
        Files.writeString(at.resolve("inside"), "inside");
        Files.writeString(at.resolve(".inside.crc"), "sum");
      }
      case LINK_TO_FILE -> Files.createSymbolicLink(at, at.resolveSibling("other"));
      case LINK_TO_FOLDER -> Files.createSymbolicLink(at, at.resolveSibling("folder"));
      case BROKEN_LINK -> Files.createSymbolicLink(at, at.resolveSibling("missing"));
      default -> {}
    }
  }

  private static List<String> tree(Path top) throws IOException {
    try (Stream<Path> all = Files.walk(top)) {
      List<String> found = new ArrayList<>();
      for (Path each : all.sorted().toList()) {
        String what =
            Files.isSymbolicLink(each)
                ? "-> " + top.relativize(Files.readSymbolicLink(each))
                : Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)
                    ? "/ " + Files.getPosixFilePermissions(each)
                    : Files.readString(each);
        found.add(top.relativize(each) + " " + what);
      }
      return found;
    }
  }

  /** What has become of it, and what was thrown. */
  private List<String> moved(FileContext files, Path top, Thing from, Thing to, String target)
      throws IOException {
    Files.createDirectories(top.resolve("folder"));
    Files.writeString(top.resolve("file"), "a file");
    Files.writeString(top.resolve("other"), "another file");
    Files.createSymbolicLink(top.resolve("link"), top.resolve("folder"));
    make(top.resolve("from"), from);
    Path at = top.resolve(target);
    if (!at.equals(top.resolve("from")) && Files.isDirectory(at.getParent())) {
      make(at, to);
    }
    List<String> outcome = new ArrayList<>();
    try {
      files.rename(
          new org.apache.hadoop.fs.Path(top.resolve("from").toUri()),
          new org.apache.hadoop.fs.Path(at.toUri()),
          Rename.OVERWRITE);
    } catch (IOException e) {
      outcome.add(e.toString().replace(top.toString(), "top"));
    }
    outcome.addAll(tree(top));
    return outcome;
  }

  @Test
  void whateverLiesWhere() throws IOException {
    FileContext upstream = FileContext.getLocalFSFileContext(conf);
    FileContext plain = PlainMoves.in(upstream, conf);
    int round = 0;
    for (Thing from : Thing.values()) {
      for (Thing to : Thing.values()) {
        for (String target : TARGETS) {
          Path place = root.resolve(String.valueOf(round++));
          assertThat(moved(plain, place.resolve("ours"), from, to, target))
              .as("%s to %s at %s", from, target, to)
              .isEqualTo(moved(upstream, place.resolve("upstreams"), from, to, target));
        }
      }
    }
    assertThat(round).isEqualTo(343);
  }

  @Test
  void keepsFolderAndMask() throws IOException {
    FileContext upstream = FileContext.getLocalFSFileContext(conf);
    upstream.setUMask(new FsPermission("077"));
    upstream.setWorkingDirectory(new org.apache.hadoop.fs.Path(root.toUri()));
    FileContext plain = PlainMoves.in(upstream, conf);
    assertThat(plain.getUMask()).isEqualTo(upstream.getUMask());
    assertThat(plain.getWorkingDirectory()).isEqualTo(upstream.getWorkingDirectory());
  }
}
