// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLocksTest {

  @TempDir private Path folder;

  @Test
  void aDirectoryOfAnotherSlaveIsLeftAsItIs() throws IOException {
    StoreFixture fixture = new StoreFixture(folder);
    BlockStore store = fixture.store();
    try (DirectoryLocks locks = new DirectoryLocks();
        DirectoryLocks others = new DirectoryLocks()) {
      locks.take(store.directories());
      assertThat(store.directories()).allMatch(SsdDirectory::healthy);
      store.recover(key -> true);
      StoreFixture.fill(store, StoreFixture.key(1, 1000));
      store.keep(StoreFixture.key(1, 1000), new byte[10]);
      List<Path> files = fixture.filesOf(folder);
      BlockStore other = fixture.store();
      others.take(other.directories());
      assertThat(other.directories())
          .extracting(SsdDirectory::failure)
          .containsOnly("it is named twice, or another DataNode of this process uses it");
      assertThat(other.recover(key -> false)).isEmpty();
      assertThat(fixture.filesOf(folder)).containsExactlyInAnyOrderElementsOf(files);
      assertThat(StoreFixture.fill(other, StoreFixture.key(2, 1000))).isEqualTo(FillResult.NO_ROOM);
    }
    BlockStore next = fixture.store();
    try (DirectoryLocks locks = new DirectoryLocks()) {
      locks.take(next.directories());
      assertThat(next.directories()).allMatch(SsdDirectory::healthy);
      assertThat(next.recover(key -> true)).containsExactly(StoreFixture.key(1, 1000));
    }
  }

  /** Another DataNode would take it for its own, and delete the copies that it does not know. */
  @Test
  void aDirectoryThatIsNamedTwiceStaysLocked() throws Exception {
    Path folderOfBoth = Files.createDirectory(folder.resolve("a"));
    SsdDirectory first = new SsdDirectory(folderOfBoth, 1000);
    SsdDirectory second =
        new SsdDirectory(Files.createSymbolicLink(folder.resolve("b"), folderOfBoth), 1000);
    try (DirectoryLocks locks = new DirectoryLocks()) {
      locks.take(List.of(first, second));
      assertThat(first.healthy()).isTrue();
      assertThat(failureInAnotherProcess(folderOfBoth)).isEqualTo("another DataNode uses it");
      assertThat(second.failure()).startsWith("it is named twice");
    }
    assertThat(failureInAnotherProcess(folderOfBoth)).isEqualTo("null");
  }

  private static String failureInAnotherProcess(Path directory) throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OtherDataNode.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String failure = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor()).isZero();
    return failure;
  }

  /** Takes a directory and prints why it does not get it. */
  static final class OtherDataNode {
    public static void main(String[] args) {
      SsdDirectory directory = new SsdDirectory(Path.of(args[0]), 1000);
      try (DirectoryLocks locks = new DirectoryLocks()) {
        locks.take(List.of(directory));
      }
      System.out.print(directory.failure());
    }
  }

  @Test
  void whatCannotBeLockedIsLeftOut() throws IOException {
    SsdDirectory noFolder = new SsdDirectory(Files.createFile(folder.resolve("file")), 1000);
    SsdDirectory good = new SsdDirectory(folder.resolve("good"), 1000);
    try (DirectoryLocks locks = new DirectoryLocks()) {
      locks.take(List.of(noFolder, good));
    }
    assertThat(noFolder.failure()).startsWith("it cannot be locked: ");
    assertThat(good.healthy()).isTrue();
  }
}
