// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Localized data on SSD while there is room, and in the ordinary directories otherwise. */
class LocalizedFilesTest {

  private static final String APP = "usercache/ann/appcache/application_1_1";
  private static final int STEP = 100;

  @TempDir Path folder;

  private Path disk;
  private Path ssd;
  private Path secondSsd;
  private List<Path> appDirs;
  private Path ordinary;
  private List<Path> healthy;
  private final Lender lender = new Lender();
  private final List<Path> failed = new ArrayList<>();
  private LocalizedFiles files;

  /** Lends what it has. */
  private static final class Lender implements LocalizedFiles.SpaceLender {
    final Map<Path, Long> free = new HashMap<>();
    final Map<Path, Long> lent = new HashMap<>();

    @Override
    public boolean take(Path dir, long bytes) {
      if (free.getOrDefault(dir, 0L) < bytes) {
        return false;
      }
      free.merge(dir, -bytes, Long::sum);
      lent.merge(dir, bytes, Long::sum);
      return true;
    }

    @Override
    public void give(Path dir, long bytes) {
      free.merge(dir, bytes, Long::sum);
      lent.merge(dir, -bytes, Long::sum);
    }

    long lent() {
      return lent.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  @BeforeEach
  void directories() throws IOException {
    disk = folder.resolve("disk");
    ssd = folder.resolve("ssd0/localized");
    secondSsd = folder.resolve("ssd1/localized");
    appDirs = List.of(disk.resolve(APP), ssd.resolve(APP), secondSsd.resolve(APP));
    for (Path appDir : appDirs) {
      Files.createDirectories(appDir.resolve("output"));
    }
    ordinary = disk.resolve(APP).resolve("output/file.out");
    healthy = List.of(disk, ssd, secondSsd);
    files =
        new LocalizedFiles(
            List.of(ssd), lender, STEP, () -> healthy, (file, error) -> failed.add(file));
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i * 31);
    }
    return bytes;
  }

  private Target write(Target target, int count) throws IOException {
    byte[] bytes = bytes(count);
    target.open();
    for (int at = 0; at < count; at += 30) {
      target.write(ByteBuffer.wrap(bytes, at, Math.min(30, count - at)));
    }
    target.force();
    target.close();
    assertThat(Files.readAllBytes(target.path())).isEqualTo(bytes);
    return target;
  }

  @Test
  void aFileGoesToSsdAndItsRoomComesBackWhenItIsDeleted() throws IOException {
    lender.free.put(ssd, 1_000L);
    Target target = write(files.target(ordinary, appDirs), 250);
    assertThat(target.path()).isEqualTo(ssd.resolve(APP).resolve("output/file.out"));
    assertThat(ordinary).doesNotExist();
    assertThat(lender.lent()).as("no more than the file's length").isEqualTo(250);
    files.tick();
    assertThat(lender.lent()).as("while the file is there").isEqualTo(250);
    Files.delete(target.path());
    files.tick();
    files.tick();
    assertThat(lender.lent()).isZero();
  }

  @Test
  void withoutRoomItGoesToTheOrdinaryDirectory() throws IOException {
    lender.free.put(ssd, STEP - 1L);
    assertThat(write(files.target(ordinary, appDirs), 50).path()).isEqualTo(ordinary);
    assertThat(lender.lent()).isZero();
  }

  @Test
  void oneThatOutgrowsItsRoomMovesOver() throws IOException {
    lender.free.put(ssd, 250L);
    Target target = write(files.target(ordinary, appDirs), 700);
    assertThat(target.path()).isEqualTo(ordinary);
    assertThat(ssd.resolve(APP).resolve("output/file.out")).doesNotExist();
    assertThat(lender.lent()).isZero();
    assertThat(failed).isEmpty();
  }

  @Test
  void oneWhoseSsdFailsMovesOverAndTheSsdIsReported() throws IOException {
    for (int good : new int[] {0, 1, 90, 240}) {
      lender.free.put(ssd, 1_000L);
      Path file = ssd.resolve(APP).resolve("output/file.out");
      LocalizedFiles.Lease lease = lease();
      Target target =
          new SsdTarget(
              new Failing(file, good),
              new FileTarget(ordinary),
              lease,
              error -> failed.add(Path.of(error.getMessage())));
      assertThat(write(target, 300).path()).isEqualTo(ordinary);
      assertThat(file).doesNotExist();
      assertThat(lender.lent()).isZero();
      assertThat(failed).containsExactly(Path.of("no space"));
      failed.clear();
    }
  }

  @Test
  void oneThatCannotBeReadBackFails() throws IOException {
    lender.free.put(ssd, 1_000L);
    Path file = ssd.resolve(APP).resolve("output/file.out");
    Target target =
        new SsdTarget(
            new Failing(file, 90) {
              @Override
              void fail() throws IOException {
                Files.delete(file);
                super.fail();
              }
            },
            new FileTarget(ordinary),
            lease(),
            error -> {});
    assertThatThrownBy(() -> write(target, 300)).isInstanceOf(IOException.class);
    target.abort();
    assertThat(ordinary).doesNotExist();
    assertThat(lender.lent()).isZero();
  }

  private LocalizedFiles.Lease lease() {
    assertThat(lender.take(ssd, STEP)).isTrue();
    return files.new Lease(ssd, ssd.resolve(APP).resolve("output/file.out"), STEP);
  }

  @Test
  void oneThatIsGivenUpLeavesNothing() throws IOException {
    lender.free.put(ssd, 1_000L);
    Target target = files.target(ordinary, appDirs);
    target.open();
    target.write(ByteBuffer.wrap(bytes(150)));
    target.abort();
    assertThat(target.path()).doesNotExist();
    assertThat(lender.lent()).isZero();
    files.target(ordinary, appDirs).abort();
    assertThat(lender.lent()).as("one that was never opened").isZero();
  }

  @Test
  void ssdsTakeTurnsAndOneThatIsLeftOutIsNotAsked() throws IOException {
    lender.free.put(ssd, 1_000L);
    lender.free.put(secondSsd, 1_000L);
    LocalizedFiles both =
        new LocalizedFiles(
            List.of(ssd, secondSsd), lender, STEP, () -> healthy, (file, error) -> {});
    List<Path> places = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      places.add(both.target(ordinary.resolveSibling("spill" + i), appDirs).path());
    }
    assertThat(places.stream().filter(place -> place.startsWith(ssd))).hasSize(2);
    assertThat(places.stream().filter(place -> place.startsWith(secondSsd))).hasSize(2);
    healthy = List.of(disk, secondSsd);
    for (int i = 0; i < 4; i++) {
      assertThat(both.target(ordinary, appDirs).path().startsWith(secondSsd)).isTrue();
    }
  }

  @Test
  void anApplicationWithoutAFolderOnSsdGetsNoneMade() {
    lender.free.put(ssd, 1_000L);
    Path other = disk.resolve("usercache/ann/appcache/application_1_2");
    Path file = other.resolve("output/file.out");
    List<Path> dirs = List.of(other, ssd.resolve("usercache/ann/appcache/application_1_2"));
    assertThat(files.target(file, dirs).path()).isEqualTo(file);
    assertThat(files.target(file, List.of(other)).path()).isEqualTo(file);
    assertThat(files.target(file, appDirs).path()).isEqualTo(file);
    assertThat(lender.lent()).isZero();
  }

  @Test
  void withoutAnSsdNobodyIsAsked() {
    LocalizedFiles none = LocalizedFiles.none();
    assertThat(none.target(ordinary, appDirs)).isInstanceOf(FileTarget.class);
    assertThat(none.isOnSsd(ordinary)).isFalse();
    none.tick();
  }

  /** Fails when more than some bytes are to be written, with a part of them written. */
  private static class Failing implements Target {
    private final FileTarget file;
    private int good;

    Failing(Path path, int good) {
      this.file = new FileTarget(path);
      this.good = good;
    }

    void fail() throws IOException {
      throw new IOException("no space");
    }

    @Override
    public Path path() {
      return file.path();
    }

    @Override
    public void open() throws IOException {
      if (good == 0) {
        fail();
      }
      file.open();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      if (bytes.remaining() > good) {
        bytes.limit(bytes.position() + good / 2);
        file.write(bytes);
        fail();
      }
      good -= bytes.remaining();
      file.write(bytes);
    }

    @Override
    public void force() throws IOException {
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }

    @Override
    public void abort() throws IOException {
      file.abort();
    }
  }
}
