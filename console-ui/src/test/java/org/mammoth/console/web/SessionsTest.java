// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a login address that cannot be kept. */
class SessionsTest {

  @TempDir Path dir;

  @Test
  void anAddressThatCannotBeKeptLeavesNoPartOfItself() throws IOException {
    // Nothing takes the place of a folder that is not empty.
    Path taken = Files.createDirectories(dir.resolve("login").resolve("inner")).getParent();
    new Sessions(taken, "ada").begin("http://127.0.0.1:1", 1);
    try (Stream<Path> left = Files.list(dir)) {
      assertThat(left).containsExactly(taken);
    }
    Path free = dir.resolve("free");
    new Sessions(free, "ada").begin("http://127.0.0.1:1", 1);
    assertThat(free).content().startsWith("http://127.0.0.1:1");
    try (Stream<Path> left = Files.list(dir)) {
      assertThat(left).containsExactlyInAnyOrder(taken, free);
    }
  }
}
