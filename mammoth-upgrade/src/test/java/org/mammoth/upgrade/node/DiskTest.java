// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in a folder in which another user may have put links of the names that are to come. */
class DiskTest {

  private static final String SECRET = "rw-------";

  @TempDir Path folder;

  private final Disk disk = new Disk(what -> {});
  private Path target;

  @BeforeEach
  void start() throws IOException {
    target = Files.writeString(folder.resolve("target"), "its own");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(SECRET));
  }

  private Path linkTo(Path to, String name) throws IOException {
    return Files.createSymbolicLink(folder.resolve(name), to);
  }

  private void assertTargetIsAsItWas() throws IOException {
    assertThat(target).content().isEqualTo("its own");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo(SECRET);
  }

  @Test
  void whatIsWrittenFollowsNoLink() throws IOException {
    linkTo(target, ".a.sh.new");
    linkTo(target, "a.sh");
    disk.write(folder.resolve("a.sh"), "text");
    assertTargetIsAsItWas();
    assertThat(folder.resolve("a.sh")).isRegularFile().content().isEqualTo("text");
    assertThat(Files.isSymbolicLink(folder.resolve("a.sh"))).isFalse();
    Path from = Files.writeString(folder.resolve("from"), "jar");
    disk.copy(from, linkTo(target, "b.jar"));
    assertTargetIsAsItWas();
    assertThat(folder.resolve("b.jar")).content().isEqualTo("jar");
  }

  @Test
  void aJournalIsNoLink() throws IOException {
    Journal journal = new Journal(linkTo(target, "journal"), Clock.systemUTC());
    assertThatThrownBy(() -> journal.add(Journal.Event.RUN, "apply", ""))
        .isInstanceOf(IOException.class);
    assertTargetIsAsItWas();
    Path nothing = folder.resolve("nothing");
    assertThatThrownBy(() -> Disk.openOwn(linkTo(nothing, "lock"), StandardOpenOption.WRITE))
        .isInstanceOf(IOException.class);
    assertThat(nothing).doesNotExist();
  }

  @Test
  void aLogReplacesALink() throws Exception {
    Path log = linkTo(target, "restart.log");
    assertThat(Command.run(List.of("echo", "said"), log, 60).status()).isZero();
    assertTargetIsAsItWas();
    assertThat(log).content().isEqualTo("said\n");
  }

  @Test
  void allIsRemovedAndNothingBehindALink() throws IOException {
    Path tree = Files.createDirectories(folder.resolve("tree/a/b")).getParent().getParent();
    Path kept = Files.createDirectories(folder.resolve("kept"));
    Files.writeString(kept.resolve("file"), "");
    Files.writeString(tree.resolve("a/b/file"), "");
    Files.createSymbolicLink(tree.resolve("a/link"), kept);
    disk.removeAll(tree);
    assertThat(tree).doesNotExist();
    disk.removeAll(linkTo(kept, "to-kept"));
    assertThat(Files.exists(folder.resolve("to-kept"), LinkOption.NOFOLLOW_LINKS)).isFalse();
    assertThat(kept.resolve("file")).exists();
  }
}
