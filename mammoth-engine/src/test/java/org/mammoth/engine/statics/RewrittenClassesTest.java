// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one engine has rewritten is there for the next, and only that. */
class RewrittenClassesTest {

  private static final int MANY = 300;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("classes");
  }

  private static byte[] bytes(int seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[random.nextInt(3_000)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void fill(Path file, int from, int to) throws IOException {
    try (RewrittenClasses classes = RewrittenClasses.open(file)) {
      for (int i = from; i < to; i++) {
        byte[] original = bytes(i);
        classes.keep("a/C" + i, original, i % 3 == 0 ? original : bytes(-i));
      }
    }
  }

  private static int found(Path file, int upTo) throws IOException {
    int found = 0;
    try (RewrittenClasses classes = RewrittenClasses.open(file)) {
      for (int i = 0; i < upTo; i++) {
        byte[] original = bytes(i);
        byte[] rewritten = classes.find("a/C" + i, original);
        if (rewritten != null) {
          found++;
          if (i % 3 == 0) {
            assertThat(rewritten).isSameAs(original);
          } else {
            assertThat(rewritten).isEqualTo(bytes(-i));
          }
        }
      }
    }
    return found;
  }

  @Test
  void laterOnesFindThem() throws IOException {
    fill(file, 0, MANY);
    assertThat(found(file, MANY)).isEqualTo(MANY);
    fill(file, MANY, 2 * MANY);
    assertThat(found(file, 3 * MANY)).isEqualTo(2 * MANY);
  }

  /** A task that is killed loads classes, too. */
  @Test
  void anInterruptOfATaskLosesNone() throws IOException {
    try (RewrittenClasses classes = RewrittenClasses.open(file)) {
      Thread.currentThread().interrupt();
      try {
        for (int i = 0; i < MANY; i++) {
          byte[] original = bytes(i);
          classes.keep("a/C" + i, original, i % 3 == 0 ? original : bytes(-i));
        }
      } finally {
        assertThat(Thread.interrupted()).as("it is still told").isTrue();
      }
    }
    assertThat(found(file, MANY)).isEqualTo(MANY);
  }

  @Test
  void anotherClassOfTheNameIsNotKnown() throws IOException {
    fill(file, 0, MANY);
    try (RewrittenClasses classes = RewrittenClasses.open(file)) {
      byte[] other = bytes(7);
      other[other.length / 2]++;
      assertThat(classes.find("a/C7", other)).isNull();
      assertThat(classes.find("a/C7", bytes(8))).isNull();
      assertThat(classes.find("b/C7", bytes(7))).isNull();
    }
  }

  /** An engine that dies leaves a torn end; a disk may turn bits. Nothing wrong is ever found. */
  @Property(tries = 60)
  void harmCostsOnlyWhatIsHarmed(@ForAll int seed, @ForAll @IntRange(min = 1, max = 40) int kept)
      throws IOException {
    Path harmed = Files.createTempFile("rewritten", "classes");
    try {
      fill(harmed, 0, kept);
      byte[] whole = Files.readAllBytes(harmed);
      Random random = new Random(seed);
      int at = random.nextInt(whole.length);
      if (random.nextBoolean()) {
        whole[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(harmed, whole);
      } else {
        Files.write(harmed, Arrays.copyOf(whole, at), StandardOpenOption.TRUNCATE_EXISTING);
      }
      assertThat(found(harmed, kept)).isLessThan(kept);
      fill(harmed, 0, kept);
      assertThat(found(harmed, kept)).isEqualTo(kept);
    } finally {
      Files.delete(harmed);
    }
  }
}
