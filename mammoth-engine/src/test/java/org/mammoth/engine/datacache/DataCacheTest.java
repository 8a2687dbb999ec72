// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mammoth.engine.datacache.CacheFixture.UNIT;
import static org.mammoth.engine.datacache.CacheFixture.bytes;
import static org.mammoth.engine.datacache.CacheFixture.read;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mammoth.api.status.DataCacheUse;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.MapMemory;

/** Files are found by what they are, kept and given up set by set, and learned about. */
class DataCacheTest {

  private static CacheFile sort(MapMemory map, int units) {
    CacheFile file = new CacheFile(map.sort());
    assertThat(file.tryAppend(new byte[units * UNIT], 0, units * UNIT)).isTrue();
    file.finish();
    return file;
  }

  private static List<String> folders(CacheFixture memory) {
    return memory.cache.snapshot(2000).sets().stream().map(DataCacheUse.Set::folder).toList();
  }

  @Test
  void whatWasWrittenIsReadUnderAnyName() {
    try (CacheFixture memory = new CacheFixture(20)) {
      byte[] written = bytes(1, 5 * UNIT + 17);
      FileIdentity identity =
          memory.write("/out/_temporary/1/_temporary/attempt_1/p", "j", written);
      KeptFile file = memory.cache.find(identity, "/renamed/p");
      assertThat(read(file)).isEqualTo(written);
      ByteBuffer direct = ByteBuffer.allocateDirect(40);
      assertThat(file.read(UNIT - 10, direct)).isEqualTo(10);
      assertThat(direct.position()).isEqualTo(10);
      assertThat(direct.get(0)).isEqualTo(written[UNIT - 10]);
      DataCacheUse now = memory.cache.snapshot(2000);
      assertThat(folders(memory)).containsExactly("/out");
      assertThat(now.hits()).isEqualTo(1);
      assertThat(now.readBytes()).isEqualTo(written.length + 10);
      assertThat(now.heldBytes()).isEqualTo(6L * UNIT);
    }
  }

  @Test
  void anotherStampLengthOrBlockIsAnotherFile() {
    try (CacheFixture memory = new CacheFixture(20)) {
      FileIdentity kept = memory.write("/out/p", "j", bytes(1, 300));
      for (FileIdentity other :
          List.of(
              new FileIdentity("bp", kept.block() + 1, 7, 300, 300),
              new FileIdentity("bp", kept.block(), 8, 300, 300),
              new FileIdentity("bp", kept.block(), 7, 299, 300),
              new FileIdentity("bp", kept.block(), 7, 300, 301),
              new FileIdentity("bq", kept.block(), 7, 300, 300))) {
        assertThat(memory.cache.find(other, "/out/p")).isNull();
      }
      assertThat(memory.cache.snapshot(2000).misses()).as("files never written here").isZero();
    }
  }

  @Test
  void smallFilesOfASetShareUnits() {
    try (CacheFixture memory = new CacheFixture(4)) {
      List<FileIdentity> files = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        files.add(memory.write("/out/p" + i, "j", bytes(i, 60)));
      }
      for (int i = 0; i < 12; i++) {
        assertThat(read(memory.cache.find(files.get(i), "/out/p" + i))).isEqualTo(bytes(i, 60));
      }
      assertThat(memory.cache.snapshot(2000).heldBytes()).isEqualTo(3L * UNIT);
    }
  }

  /** A NameNode that was rolled back numbers blocks as before. */
  @Test
  void ofTwoFilesOfOneIdentityTheLastIsKept() {
    try (CacheFixture memory = new CacheFixture(10)) {
      BlockIdentity block = memory.block(2L * UNIT);
      for (int i = 1; i <= 2; i++) {
        KeptWriter writer = memory.cache.begin("/out" + i + "/p", "j");
        writer.append(bytes(i, 2 * UNIT), 0, 2 * UNIT);
        writer.admit(block);
      }
      KeptFile found = memory.cache.find(CacheFixture.identity(block, 2L * UNIT), "/out2/p");
      assertThat(read(found)).isEqualTo(bytes(2, 2 * UNIT));
      assertThat(folders(memory)).containsExactly("/out2");
      assertThat(memory.cache.snapshot(2000).heldBytes()).isEqualTo(2L * UNIT);
    }
  }

  /** However many sets there are, what the youngest holds can be given up in its turn. */
  @Test
  void noSetIsForgottenThatHoldsMemory() {
    int sets = 1_200;
    try (CacheFixture memory = new CacheFixture(2 * sets, "/named")) {
      for (int i = 0; i < sets; i++) {
        memory.write("/named/" + i + "/p", "j" + i, bytes(i, UNIT));
      }
      assertThat(folders(memory)).hasSize(sets);
    }
  }

  @Test
  void anAbandonedFileLeavesNothing() {
    try (CacheFixture memory = new CacheFixture(10)) {
      KeptWriter writer = memory.cache.begin("/out/p", "j");
      writer.append(bytes(1, 4 * UNIT), 0, 4 * UNIT);
      assertThat(memory.cache.snapshot(2000).heldBytes()).isEqualTo(4L * UNIT);
      writer.abandon();
      assertThat(memory.cache.snapshot(2000).heldBytes()).isZero();
      writer.append(bytes(1, UNIT), 0, UNIT);
      BlockIdentity late = memory.block(5L * UNIT);
      writer.admit(late);
      assertThat(memory.cache.find(CacheFixture.identity(late, 5L * UNIT), "/out/p")).isNull();
    }
  }

  /** As an Error does that the task survives, and then closes its file, which HDFS has whole. */
  @Test
  void aFileOfWhichAnAppendWasBrokenOffIsNotKept() {
    try (CacheFixture memory = new CacheFixture(10)) {
      for (int length : new int[] {10, 3 * UNIT}) {
        KeptWriter writer = memory.cache.begin("/out/p" + length, "j");
        writer.append(bytes(1, length), 0, length);
        assertThatThrownBy(() -> writer.append(null, 0, length))
            .isInstanceOf(NullPointerException.class);
        writer.append(bytes(3, length), 0, length);
        BlockIdentity block = memory.block(3L * length);
        writer.admit(block);
        assertThat(memory.cache.find(CacheFixture.identity(block, 3L * length), "/out/p")).isNull();
      }
      assertThat(memory.cache.snapshot(2000).heldBytes()).isZero();
    }
  }

  @Test
  void aFileBeyondTheBoundIsNotKept() {
    try (CacheFixture memory = new CacheFixture(10, 10, 3 * UNIT)) {
      FileIdentity large = memory.write("/out/large", "j", bytes(1, 3 * UNIT + 1));
      FileIdentity small = memory.write("/out/small", "j", bytes(2, 3 * UNIT));
      assertThat(memory.cache.find(large, "/out/large")).isNull();
      assertThat(memory.cache.find(small, "/out/small")).isNotNull();
      assertThat(memory.cache.snapshot(2000).misses()).isEqualTo(1);
    }
  }

  /** A sort takes of one set only, the one nobody has read; what was read stays whole. */
  @Test
  void memoryGoesSetBySet() {
    try (CacheFixture memory = new CacheFixture(12)) {
      FileIdentity read = memory.write("/pr/1/p", "j1", bytes(1, 3 * UNIT));
      FileIdentity first = memory.write("/wc/a/p0", "j2", bytes(2, 3 * UNIT));
      FileIdentity second = memory.write("/wc/a/p1", "j2", bytes(3, 3 * UNIT));
      FileIdentity young = memory.write("/zz/b/p", "j3", bytes(4, 3 * UNIT));
      assertThat(memory.cache.find(read, "/pr/1/p")).isNotNull();
      MapMemory map = memory.map("k");
      CacheFile sorted = sort(map, 4);
      assertThat(folders(memory)).containsExactly("/pr/1", "/zz/b", "/wc/a");
      assertThat(memory.cache.find(second, "/wc/a/p1")).as("given up whole").isNull();
      assertThat(read(memory.cache.find(first, "/wc/a/p0")))
          .as("what is left of it")
          .isEqualTo(Arrays.copyOf(bytes(2, 3 * UNIT), 2 * UNIT));
      KeptFile left = memory.cache.find(first, "/wc/a/p0");
      assertThat(left.has(2L * UNIT - 1)).isTrue();
      assertThat(left.has(2L * UNIT)).isFalse();
      // It was read just now, but it is not whole: it goes first nevertheless.
      CacheFile more = sort(map, 2);
      assertThat(folders(memory)).containsExactly("/pr/1", "/zz/b");
      assertThat(read(memory.cache.find(young, "/zz/b/p"))).isEqualTo(bytes(4, 3 * UNIT));
      assertThat(memory.cache.snapshot(2000).givenUpBytes()).isEqualTo(6L * UNIT);
      sorted.close();
      more.close();
      map.close();
    }
  }

  @Test
  void newOutputReplacesWhatWasUsedLongestAgo() {
    try (CacheFixture memory = new CacheFixture(6)) {
      FileIdentity a = memory.write("/a/p", "j1", bytes(1, 3 * UNIT));
      FileIdentity b = memory.write("/b/p", "j2", bytes(2, 3 * UNIT));
      FileIdentity c = memory.write("/c/p", "j3", bytes(3, 2 * UNIT));
      assertThat(read(memory.cache.find(a, "/a/p"))).hasSize(UNIT);
      assertThat(read(memory.cache.find(b, "/b/p"))).isEqualTo(bytes(2, 3 * UNIT));
      assertThat(read(memory.cache.find(c, "/c/p"))).isEqualTo(bytes(3, 2 * UNIT));
    }
  }

  @Test
  void outputThatNobodyReadsDoesNotReplaceWhatIsRead() {
    try (CacheFixture memory = new CacheFixture(6)) {
      FileIdentity a = memory.write("/a/p", "j1", bytes(1, 4 * UNIT));
      assertThat(memory.cache.find(a, "/a/p")).isNotNull();
      FileIdentity b = memory.write("/b/p", "j2", bytes(2, 4 * UNIT));
      assertThat(memory.cache.find(b, "/b/p")).isNull();
      assertThat(read(memory.cache.find(a, "/a/p"))).isEqualTo(bytes(1, 4 * UNIT));
    }
  }

  @Test
  void aSetLargerThanTheCacheDoesNotEatItself() {
    try (CacheFixture memory = new CacheFixture(6)) {
      FileIdentity first = memory.write("/a/p0", "j1", bytes(1, 4 * UNIT));
      FileIdentity second = memory.write("/a/p1", "j1", bytes(2, 4 * UNIT));
      assertThat(read(memory.cache.find(first, "/a/p0"))).isEqualTo(bytes(1, 4 * UNIT));
      assertThat(memory.cache.find(second, "/a/p1")).isNull();
    }
  }

  /** The fourth unread output of a kind is not kept; one that is read brings the kind back. */
  @Test
  void whatStaysUnreadIsNotKeptUntilItIsRead() {
    try (CacheFixture memory = new CacheFixture(40)) {
      for (int i = 0; i < Habits.TRIALS; i++) {
        FileIdentity file = memory.write("/wc/out-" + i + "/p", "j" + i, bytes(i, UNIT));
        assertThat(memory.cache.peek(file)).isNotNull();
      }
      FileIdentity unread = memory.write("/wc/out-77/p", "j77", bytes(7, UNIT));
      assertThat(memory.cache.peek(unread)).isNull();
      assertThat(memory.cache.find(unread, "/wc/out-77/p")).isNull();
      FileIdentity next = memory.write("/wc/out-78/p", "j78", bytes(8, UNIT));
      assertThat(memory.cache.peek(next)).isNotNull();
    }
  }

  @Test
  void whatIsReadLateWasNotWorthKeeping() {
    try (CacheFixture memory = new CacheFixture(40)) {
      for (int i = 0; i < Habits.TRIALS; i++) {
        FileIdentity file = memory.write("/wc/out-" + i + "/p", "j" + i, bytes(i, UNIT));
        memory.nanos += 1_001;
        assertThat(memory.cache.find(file, "/x")).isNotNull();
      }
      assertThat(memory.cache.peek(memory.write("/wc/out-9/p", "j9", bytes(9, UNIT)))).isNull();
    }
  }

  @Test
  void namedFoldersAreKeptInAnyCase() {
    try (CacheFixture memory = new CacheFixture(40, "/wc/")) {
      for (int i = 0; i < 3 * Habits.TRIALS; i++) {
        FileIdentity file = memory.write("/wc/out-" + i + "/p", "j" + i, bytes(i, UNIT));
        assertThat(memory.cache.peek(file)).isNotNull();
      }
    }
  }

  @Test
  void dropForgetsByEitherName() {
    try (CacheFixture memory = new CacheFixture(40)) {
      FileIdentity a = memory.write("/a/p", "j1", bytes(1, 500));
      FileIdentity b = memory.write("/ab/p", "j2", bytes(2, 300));
      FileIdentity c = memory.write("/c/p", "j3", bytes(3, 100));
      memory.cache.find(c, "/a/moved");
      assertThat(memory.cache.drop("/a")).isEqualTo(600);
      assertThat(memory.cache.peek(a)).isNull();
      assertThat(memory.cache.peek(b)).isNotNull();
      assertThat(memory.cache.peek(c)).isNull();
    }
  }
}
