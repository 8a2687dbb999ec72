// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mammoth.mapreduce.MammothShuffleCounter;

/** A whole reduce whose maps ran on another node, in each way of merging, under TLS. */
class EncryptedShuffleTest {

  private static final String ENABLED = "mapreduce.shuffle.ssl.enabled";
  private static final String PASSWORD = "changeit";
  private static final int RECORDS = 500;
  private static final int MAPS = 4;
  private static final int PLENTY = 512;

  /** What the keys of the reduce's partition begin with in the output of the map 1. */
  private static final String PLAINTEXT = "1 key " + TestReduce.PARTITION + " 1";

  @TempDir private static Path keys;
  @TempDir private Path temp;
  private final JobConf job = new JobConf();
  private TestNode node;
  private WholeReduce reduce;

  @BeforeAll
  static void makeKey() throws Exception {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "node",
                "-keyalg",
                "EC",
                "-dname",
                "CN=node",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "JKS",
                "-storepass",
                PASSWORD,
                "-keypass",
                PASSWORD,
                "-keystore",
                keys.resolve("node.jks").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    assertThat(keytool.waitFor()).as(said).isZero();
  }

  /** What nodes and jobs of a cluster with an encrypted shuffle have in common. */
  private static <T extends Configuration> T encrypted(T conf) {
    conf.setBoolean(ENABLED, true);
    String store = keys.resolve("node.jks").toString();
    conf.set("ssl.server.keystore.location", store);
    conf.set("ssl.server.keystore.password", PASSWORD);
    conf.set("ssl.client.truststore.location", store);
    conf.set("ssl.client.truststore.password", PASSWORD);
    return conf;
  }

  @AfterEach
  void end() throws Exception {
    if (reduce != null) {
      reduce.close();
    }
    node.close();
  }

  private void begin(Configuration ofNode, Configuration ofReduce) throws Exception {
    node = new TestNode(temp.resolve("node"), job, true, ofNode);
    node.startEngine();
    job.setNumMapTasks(MAPS);
    job.setInt("mammoth.shuffle.levitated.block-bytes", 4096);
    reduce = new WholeReduce(temp.resolve("reduce"), job, PLENTY, ofReduce);
  }

  private void finishMaps() throws Exception {
    for (int map = 0; map < MAPS; map++) {
      String attempt = String.format("attempt_7_0001_m_%06d_0", map);
      node.finish(attempt, RECORDS, map);
      reduce.tell(attempt, Status.SUCCEEDED, node);
    }
  }

  private static List<String> expected() {
    List<String> all = new ArrayList<>();
    for (int map = 0; map < MAPS; map++) {
      for (int i = 0; i < RECORDS; i++) {
        all.add(map + " key " + TestReduce.PARTITION + " " + i + " " + (4 + i % 50));
      }
    }
    return all;
  }

  private long byEngines() {
    return reduce.count(MammothShuffleCounter.PUSHED_SEGMENTS)
        + reduce.count(MammothShuffleCounter.PULLED_SEGMENTS)
        + reduce.count(MammothShuffleCounter.LEVITATED_SEGMENTS);
  }

  private void wholeReduceOver(WireTap wire, String mode) throws Exception {
    job.set("mammoth.shuffle.merge", mode);
    finishMaps();
    List<String> records = reduce.records(reduce.begin(), Integer.MAX_VALUE);
    assertThat(records).containsExactlyInAnyOrderElementsOf(expected());
    reduce.end();
    assertThat(byEngines()).isEqualTo(MAPS);
    assertThat(reduce.count(MammothShuffleCounter.REFETCHED_BYTES)).isZero();
    assertThat(reduce.reported).isEmpty();
    assertThat(wire.bytes()).isGreaterThan(reduce.shuffledBytes.getValue());
  }

  @ParameterizedTest
  @CsvSource({
    "push, true",
    "spill, true",
    "levitated, true",
    "virtual, true",
    "node, true",
    "auto, true",
    "push, false",
    "levitated, false",
    "node, false"
  })
  void nothingOfTheRecordsIsSeenOnTheWireExceptWithoutTls(String mode, boolean tls)
      throws Exception {
    Configuration conf = TestNode.conf();
    begin(tls ? encrypted(conf) : conf, tls ? encrypted(TestNode.conf()) : TestNode.conf());
    if (tls) {
      encrypted(job);
    }
    try (WireTap wire = new WireTap(node.enginePort())) {
      node.beFoundAt(wire.port());
      wholeReduceOver(wire, mode);
      assertThat(wire.saw(PLAINTEXT)).isNotEqualTo(tls);
      assertThat(wire.saw(TestNode.JOB)).isNotEqualTo(tls);
    }
  }

  @Test
  void theRestOfASegmentComesFromStocksShuffleWhenTheEngineIsLost() throws Exception {
    encrypted(job);
    begin(encrypted(TestNode.conf()), encrypted(TestNode.conf()));
    job.set("mammoth.shuffle.merge", "levitated");
    finishMaps();
    RawKeyValueIterator merge = reduce.begin();
    List<String> records = new ArrayList<>(reduce.records(merge, RECORDS / 2));
    node.killEngine();
    node.forgetEngine();
    records.addAll(reduce.records(merge, Integer.MAX_VALUE));
    assertThat(records).containsExactlyInAnyOrderElementsOf(expected());
    assertThat(reduce.reported).isEmpty();
    assertThat(byEngines()).isEqualTo(MAPS);
  }

  /** The node would encrypt, and the engine of the reduce has not been told to. */
  @Test
  void aJobThatWantsTlsDoesNotUseEnginesWithoutIt() throws Exception {
    encrypted(job);
    begin(encrypted(TestNode.conf()), TestNode.conf());
    stockBringsAll();
  }

  @Test
  void withoutAnEngineStocksEncryptedShuffleBringsAll() throws Exception {
    encrypted(job);
    begin(encrypted(TestNode.conf()), encrypted(TestNode.conf()));
    node.killEngine();
    node.forgetEngine();
    stockBringsAll();
  }

  private void stockBringsAll() throws IOException, Exception {
    for (int map = 0; map < MAPS; map++) {
      String attempt = String.format("attempt_7_0001_m_%06d_0", map);
      node.write(attempt, RECORDS, map);
      reduce.tell(attempt, Status.SUCCEEDED, node);
    }
    List<String> records = reduce.records(reduce.begin(), Integer.MAX_VALUE);
    assertThat(records).containsExactlyInAnyOrderElementsOf(expected());
    reduce.end();
    assertThat(byEngines()).isZero();
    assertThat(reduce.shuffledMaps.getValue()).isEqualTo(MAPS);
  }
}
