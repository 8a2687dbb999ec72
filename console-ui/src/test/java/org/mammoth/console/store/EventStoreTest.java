// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.model.Event;

/** Events survive what history survives. */
class EventStoreTest {

  private static final long HOUR = 3_600_000;
  private static final long START = 1_700_000_000_000L;

  @TempDir Path dir;

  private EventStore open(long keepMs, long maxBytes) throws Exception {
    return new EventStore(dir, keepMs, maxBytes);
  }

  private static Event event(long hours, String node) {
    return Event.of(START + hours * HOUR, Event.Kind.NODE_GONE, node, "", "gone");
  }

  private static List<String> nodes(EventStore store, int limit) {
    return store.read(0, Long.MAX_VALUE / 2, event -> true, limit).stream()
        .map(Event::node)
        .toList();
  }

  @Test
  void theNewestComeFirstAndNoMoreThanWanted() throws Exception {
    EventStore store = open(1000 * HOUR, 1 << 20);
    for (int i = 0; i < 30; i++) {
      store.append(event(i, "n" + i));
    }
    assertThat(nodes(store, 3)).containsExactly("n29", "n28", "n27");
    assertThat(nodes(store, 100)).hasSize(30).endsWith("n1", "n0");
    assertThat(
            store.read(
                START + 5 * HOUR, START + 20 * HOUR, event -> !event.node().equals("n19"), 2))
        .extracting(Event::node)
        .containsExactly("n20", "n18");
    store.close();
    EventStore next = open(1000 * HOUR, 1 << 20);
    assertThat(nodes(next, 100)).hasSize(30);
    next.append(event(30, "n30"));
    assertThat(nodes(next, 2)).containsExactly("n30", "n29");
  }

  @Test
  void whatIsTornIsLostAndNothingBeforeIt() throws Exception {
    EventStore store = open(1000 * HOUR, 1 << 20);
    store.append(event(0, "a"));
    store.append(event(0, "b"));
    Path file;
    try (Stream<Path> files = Files.list(dir)) {
      file = files.findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 3));
    EventStore next = open(1000 * HOUR, 1 << 20);
    assertThat(nodes(next, 9)).containsExactly("a");
    next.append(event(0, "c"));
    assertThat(nodes(next, 9)).containsExactly("c", "a");
  }

  /** A folder in place of the file: what opens, and cannot be read, as on a bad sector. */
  @Test
  void aFileThatCannotBeReadHidesNoOther() throws Exception {
    EventStore store = open(100_000 * HOUR, 1 << 20);
    for (int i = 0; i < 3; i++) {
      store.append(event(i * 1_000L, "n" + i));
    }
    Path file;
    try (Stream<Path> files = Files.list(dir)) {
      file = files.sorted().skip(1).findFirst().orElseThrow();
    }
    Path aside = Files.move(file, dir.resolve("aside"));
    Files.createDirectory(file);
    assertThat(nodes(store, 9)).containsExactly("n2", "n0");
    Files.delete(file);
    Files.move(aside, file);
    assertThat(nodes(store, 9)).containsExactly("n2", "n1", "n0");
  }

  @Test
  void aKindOfALaterReleaseIsPassedOver() throws Exception {
    EventStore store = open(1000 * HOUR, 1 << 20);
    store.append(event(0, "a"));
    store.close();
    byte[] later =
        ("{\"timeMs\":" + START + ",\"kind\":\"LATER\",\"node\":\"b\",\"more\":1}")
            .getBytes(java.nio.charset.StandardCharsets.UTF_8);
    SegmentLog log = new SegmentLog(dir, 6 * HOUR, AppendFile.Disk.REAL);
    log.append(START, later, later.length);
    log.close();
    EventStore next = open(1000 * HOUR, 1 << 20);
    next.append(event(0, "c"));
    assertThat(nodes(next, 9)).containsExactly("c", "a");
  }

  @Test
  void aFullDiskTakesNothingAndSpoilsNothing() throws Exception {
    FullDisk disk = new FullDisk();
    EventStore store = new EventStore(dir, 1000 * HOUR, 1 << 20, disk);
    store.append(event(0, "a"));
    disk.room = 3;
    assertThatThrownBy(() -> store.append(event(0, "b"))).isInstanceOf(java.io.IOException.class);
    disk.room = Long.MAX_VALUE;
    store.append(event(0, "c"));
    assertThat(nodes(store, 9)).containsExactly("c", "a");
  }

  @Test
  void theOldestGoForTheirAgeAndForTheRoomTheyTake() throws Exception {
    EventStore store = open(24 * HOUR, 1 << 20);
    for (int i = 0; i < 100; i++) {
      store.append(event(i, "n" + i));
    }
    assertThat(nodes(store, 1000)).hasSizeBetween(24, 36).startsWith("n99");
    EventStore small = open(1000 * HOUR, 3000);
    for (int i = 100; i < 200; i++) {
      small.append(event(i, "n" + i));
    }
    assertThat(small.bytes()).isLessThan(3000 + 6 * 200);
    assertThat(nodes(small, 1)).containsExactly("n199");
  }
}
