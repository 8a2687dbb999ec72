// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.send.SendBuffer;

class EngineShuffleTest {

  @TempDir private Path temp;

  private static EngineShuffle open(Configuration conf) {
    return EngineShuffle.open(
        conf,
        new SendBuffer(),
        (path, from, length) -> Files.newInputStream(Path.of(path)),
        work -> {
          Thread thread = new Thread(work);
          thread.setDaemon(true);
          return thread;
        });
  }

  @Test
  void staysClosedWhereTlsIsWantedAndThereIsNoKey() {
    Configuration conf = new Configuration(false);
    conf.setBoolean("mapreduce.shuffle.ssl.enabled", true);
    assertThat(open(conf)).isNull();
  }

  @Test
  void forgetsAJobsSecretWithTheJob() throws IOException {
    Path application = Files.createDirectories(temp.resolve("application"));
    byte[] secret = "secret".getBytes(StandardCharsets.UTF_8);
    try (EngineShuffle engine = open(new Configuration(false))) {
      assertThat(engine.jobs().secret("job_1_0001")).isNull();
      engine.jobs().started("job_1_0001", secret, List.of(application.toString(), "/nowhere"));
      engine.jobEnded("job_1_0002");
      assertThat(engine.jobs().secret("job_1_0001")).isEqualTo(secret);
      engine.jobEnded("job_1_0001");
      assertThat(engine.jobs().secret("job_1_0001")).isNull();
      assertThat(engine.jobs().localDirs("job_1_0001")).isEmpty();
    }
  }

  @Test
  void isAskedAtTheConfiguredPortOrNearTheStockOne() {
    assertThat(EngineAddress.askedAt(13_563, 40_000)).isEqualTo(13_563);
    assertThat(EngineAddress.askedAt(0, 40_000)).isEqualTo(40_002);
    byte[] answer = EngineAddress.answer(65_535);
    assertThat(answer).hasSize(EngineAddress.LONGEST);
    assertThat(EngineAddress.port(answer, answer.length)).hasValue(65_535);
    assertThat(EngineAddress.port("99999".getBytes(StandardCharsets.US_ASCII), 5)).isEmpty();
    assertThat(EngineAddress.port(answer, 0)).isEmpty();
  }
}
