// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.mapreduce.MammothShuffleCounter;

/**
 * Equal keys of maps of the reduce's own node and of another one come in one order, however the
 * reduce gets hold of them.
 */
class OrderOfModesTest {

  private static final int MAPS = 24;
  private static final int RECORDS = 9;
  private static final int UNITS = 512;

  /** So little that upstream merges before all is there, and its order is one of time. */
  private static final int LITTLE = 4_000;

  @TempDir private Path temp;
  private final JobConf job = new JobConf();
  private final List<MapOutput> written = new ArrayList<>();
  private TestNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TestNode(temp.resolve("node"), job, true);
    node.startEngine();
    job.setNumMapTasks(MAPS);
    for (int map = 0; map < MAPS; map++) {
      int number = map;
      written.add(
          node.write(
              String.format("attempt_7_0001_m_%06d_0", map),
              // the longer, the earlier their maps
              RECORDS - map / 4,
              (partition, i) -> ("key " + i / 4).getBytes(StandardCharsets.UTF_8),
              i -> value(number, i).getBytes(StandardCharsets.UTF_8)));
    }
  }

  @AfterEach
  void end() throws Exception {
    node.close();
  }

  private static String value(int map, int record) {
    return String.format("of map %02d, record %d", map, record);
  }

  private static boolean isOfOwnNode(int map) {
    return map % 5 == 2;
  }

  private List<String> merged(String mode, String way) throws Exception {
    job.set("mammoth.shuffle.merge", mode);
    Path folder = temp.resolve("reduce-" + mode);
    for (int map = 0; map < MAPS; map++) {
      if (isOfOwnNode(map)) {
        Path from = Path.of(written.get(map).file()).getParent();
        Path to = Files.createDirectories(folder.resolve("output").resolve(from.getFileName()));
        for (String file : List.of("file.out", "file.out.index")) {
          Files.copy(from.resolve(file), to.resolve(file));
        }
      }
    }
    try (WholeReduce reduce = new WholeReduce(folder, job, UNITS)) {
      // they end in another order than they began
      for (int map = MAPS - 1; map >= 0; map--) {
        reduce.tell(written.get(map).attempt(), Status.SUCCEEDED, node);
      }
      RawKeyValueIterator merge = reduce.begin();
      assertThat(reduce.way()).isEqualTo(way);
      List<String> all = reduce.values(merge);
      reduce.end();
      assertThat(reduce.count(MammothShuffleCounter.NODE_SEGMENTS))
          .isEqualTo(MAPS - written.stream().filter(this::isAway).count());
      return all;
    }
  }

  private boolean isAway(MapOutput output) {
    return !isOfOwnNode(written.indexOf(output));
  }

  private List<String> byMaps() {
    List<String> all = new ArrayList<>();
    for (int map = 0; map < MAPS; map++) {
      for (int i = 0; i < RECORDS - map / 4; i++) {
        all.add("key " + i / 4 + " " + value(map, i));
      }
    }
    all.sort(Comparator.comparing(each -> each.substring(0, "key 0".length())));
    return all;
  }

  @ParameterizedTest
  @ValueSource(strings = {"push", "spill", "levitated", "virtual", "node"})
  void itIsStocksWhereThatIsKnown(String mode) throws Exception {
    boolean other = mode.equals("virtual") || mode.equals("node");
    List<String> usual = merged("auto", "auto: push");
    assertThat(usual).as("the shortest first").isNotEqualTo(byMaps());
    assertThat(merged(mode, other ? mode + ": levitated" : mode)).isEqualTo(usual);
  }

  @ParameterizedTest
  @ValueSource(strings = {"push", "spill", "levitated", "virtual"})
  void itIsThatOfTheMapsWhereStockHasNone(String mode) throws Exception {
    job.setLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, LITTLE);
    assertThat(merged("auto", "auto: push")).isEqualTo(byMaps());
    assertThat(merged(mode, mode)).isEqualTo(byMaps());
  }

  /** More than there are blocks for. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "levitated", "virtual"})
  void soItIsOfTooManyForBlocks(String mode) throws Exception {
    job.setLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, LITTLE);
    job.setInt("mammoth.shuffle.levitated.buffer-bytes", MAPS * (4 << 10));
    String way =
        switch (mode) {
          case "auto" -> "auto: push";
          case "levitated" -> "levitated: virtual";
          default -> mode;
        };
    assertThat(merged(mode, way)).isEqualTo(byMaps());
  }

  /** What cannot be merged by turns does not stay where it is. */
  @Test
  void tooManyCompressedOnesDoNotStay() throws Exception {
    job.setInt("mammoth.shuffle.levitated.buffer-bytes", MAPS * (4 << 10));
    job.setCompressMapOutput(true);
    written.clear();
    node.close();
    node = new TestNode(temp.resolve("compressed"), job, true);
    node.startEngine();
    for (int map = 0; map < MAPS; map++) {
      written.add(node.write(String.format("attempt_7_0001_m_%06d_0", map), 1, map));
    }
    assertThat(merged("levitated", "levitated: spill")).hasSize(MAPS);
  }

  @Test
  void aJobThatDoesNotCareHasItsWay() throws Exception {
    job.setBoolean("mammoth.sort.stock-order", false);
    assertThat(merged("virtual", "virtual")).isEqualTo(byMaps());
    assertThat(merged("node", "node")).containsExactlyInAnyOrderElementsOf(byMaps());
  }
}
