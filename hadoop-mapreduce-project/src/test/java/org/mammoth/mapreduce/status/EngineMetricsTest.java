// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;
import org.mammoth.api.status.DataCacheUse;
import org.mammoth.api.status.DiskUse;
import org.mammoth.api.status.ElementUse;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.api.status.SendUse;

/** The numbers of several engines as one metrics record. */
class EngineMetricsTest {

  private static EngineSnapshot engine(boolean pressure, long oldestMs) {
    MemoryUse memory =
        new MemoryUse(
            100,
            60,
            2,
            50,
            50,
            20,
            pressure,
            0,
            30,
            0,
            20,
            1,
            0,
            null,
            null,
            null,
            null,
            List.of(new MemoryUse.Waiter("a", "SORT", 5, 0)),
            9,
            Map.of("NO_ROOM", 4L, "ROOM", 5L));
    DiskUse disk =
        new DiskUse(
            "sda",
            0,
            0,
            List.of(new DiskUse.Dir("/d", "QUARANTINED", "EIO", 5)),
            List.of(
                new DiskUse.Lane("SORT", "WRITE", 1, 3, 0, oldestMs, 1000, 1, 2),
                new DiskUse.Lane("ACTIVE", "WRITE", 1, 1, 0, 1, 500, 1, 0),
                new DiskUse.Lane("SORT", "READ", 1, 0, 0, 0, 70, 1, 0)));
    return new EngineSnapshot(
        1,
        "e",
        "ann",
        1,
        0,
        0,
        "",
        new EngineSnapshot.Counts(2, 10, 5, 1, 1, 1, 0),
        new EngineSnapshot.Jvm(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
        memory,
        new ElementUse(4, 10, 3, null),
        new SendUse(1, 1, 11, 12, null),
        new DataCacheUse(50, 8, 3, 7, 1, 90, 60, 12, null),
        List.of(disk),
        null);
  }

  private static Map<String, Long> read(List<EngineSnapshot> engines) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    new EngineMetrics(() -> engines).getMetrics(collector, true);
    List<? extends MetricsRecord> records = collector.getRecords();
    assertThat(records).hasSize(1);
    assertThat(records.get(0).name()).isEqualTo("MammothEngine");
    return StreamSupport.stream(records.get(0).metrics().spliterator(), false)
        .collect(Collectors.toMap(AbstractMetric::name, metric -> metric.value().longValue()));
  }

  @Test
  void numbersAreSumsAndTheOldestIsTheOldest() {
    assertThat(read(List.of(engine(true, 40), engine(false, 90))))
        .containsEntry("Engines", 2L)
        .containsEntry("PoolBytes", 100L)
        .containsEntry("PoolUsedBytes", 40L)
        .containsEntry("ElementUsedBytes", 24L)
        .containsEntry("MapQuotaBytes", 60L)
        .containsEntry("ReduceQuotaBytes", 40L)
        .containsEntry("EnginesUnderPressure", 1L)
        .containsEntry("WaitingRequests", 2L)
        .containsEntry("QuarantinedDirs", 2L)
        .containsEntry("IoDepthUnits", 8L)
        .containsEntry("DataCacheHeldBytes", 16L)
        .containsEntry("DataCacheHits", 14L)
        .containsEntry("DataCacheReadBytes", 120L)
        .containsEntry("IoOldestAgeMs", 90L)
        .containsEntry("IoWriteBytesSort", 2000L)
        .containsEntry("IoWriteBytesActive", 1000L)
        .containsEntry("IoReadBytesSort", 140L)
        .containsEntry("SpilledBytes", 2000L)
        .containsEntry("IoErrors", 4L)
        .containsEntry("DecisionsNoRoom", 8L)
        .containsEntry("DecisionsRoom", 10L)
        .containsEntry("DecisionsAged", 0L)
        .containsEntry("TasksRunning", 4L)
        .containsEntry("TasksFinished", 10L)
        .containsEntry("TasksKilled", 2L)
        .containsEntry("TasksFailed", 2L);
  }

  @Test
  void aNodeWithoutEnginesHasTheSameNames() {
    Map<String, Long> none = read(List.of());
    assertThat(none.keySet()).isEqualTo(read(List.of(engine(true, 1))).keySet());
    assertThat(none.values()).containsOnly(0L);
  }
}
