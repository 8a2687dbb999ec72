// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.config.AlertKeys;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.sim.ConsoleUnderTest;
import org.mammoth.console.sim.SimulatedCluster;

/** The page in a browser, before a simulated cluster: src/main/web/e2e/walk.mjs. */
class PageTest {

  private static final Path CHROMIUM =
      Path.of(System.getenv().getOrDefault("CHROMIUM", "/usr/bin/chromium"));

  @TempDir Path dir;

  @Test
  void peopleFindTheirWay() throws Exception {
    if (!Files.isExecutable(CHROMIUM)) {
      Assumptions.abort(
          "there is no browser at " + CHROMIUM + "; install Debian's chromium, or set CHROMIUM");
    }
    try (SimulatedCluster cluster = new SimulatedCluster(10, Clock.systemUTC());
        Console console =
            ConsoleUnderTest.start(
                cluster,
                dir.resolve("console"),
                conf -> {
                  conf.set(ConsoleKeys.ACL_ADMIN.name(), "*");
                  conf.set(ConsoleKeys.DEADLINE_MS.name(), "3000");
                  conf.set(AlertKeys.NODE_UNREACHABLE.name(), "3");
                })) {
      cluster.past(240);
      cluster.admins().admin(UserGroupInformation.getLoginUser().getShortUserName());
      cluster.ail(9, SimulatedCluster.Ailment.BREAKS);
      cluster.ail(8, SimulatedCluster.Ailment.STOCK);
      HttpClient http = HttpClient.newHttpClient();
      URI jobs = URI.create(console.address() + "api/v1/overview");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  http.send(
                          HttpRequest.newBuilder(jobs).build(),
                          HttpResponse.BodyHandlers.ofString())
                      .body()
                      .contains("job_1700000000000_0002"));
      TimeUnit.SECONDS.sleep(5);
      Path log = Path.of("target", "page-walk.txt");
      Process walk =
          new ProcessBuilder(
                  "node",
                  "src/main/web/e2e/walk.mjs",
                  console.address(),
                  console.loginFile().toString())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      boolean ended = walk.waitFor(400, TimeUnit.SECONDS);
      walk.destroyForcibly();
      assertThat(ended).as("ends in time; see " + log + "\n" + Files.readString(log)).isTrue();
      assertThat(walk.exitValue()).as(Files.readString(log)).isZero();
    }
  }
}
