// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.upgrade.tree.SiteConfig;
import org.mammoth.upgrade.tree.Variables;

class JobHistoryTest {

  @TempDir Path folder;

  private static String conf(String... pairs) {
    StringBuilder json = new StringBuilder("{\"conf\":{\"property\":[");
    for (int i = 0; i < pairs.length; i += 2) {
      json.append(i == 0 ? "" : ",")
          .append("{\"name\":\"" + pairs[i] + "\",\"value\":\"" + pairs[i + 1] + "\"}");
    }
    return json.append("]}}").toString();
  }

  @Test
  void jobsThatNeedProcessesAreCountedByReason() throws IOException {
    Map<String, String> pages =
        Map.of(
            "/ws/v1/history/mapreduce/jobs",
                "{\"jobs\":{\"job\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"c\"},{\"id\":\"d\"}]}}",
            "/ws/v1/history/mapreduce/jobs/a/conf", conf("mapreduce.pipes.executable", "cat"),
            "/ws/v1/history/mapreduce/jobs/b/conf", conf("mapreduce.map.java.opts", "-Xmx1g"),
            "/ws/v1/history/mapreduce/jobs/c/conf",
                conf(
                    "mapreduce.job.cache.files", "hdfs:/lib/x.jar",
                    "mapreduce.job.classpath.files", "hdfs:/lib/x.jar"),
            "/ws/v1/history/mapreduce/jobs/d/conf",
                conf(
                    "mapreduce.job.cache.files", "hdfs:/words.txt#words",
                    "mammoth.engine.cache-links", "false"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body =
              pages.get(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      Path site =
          Files.writeString(
              folder.resolve("mapred-site.xml"),
              "<configuration><property><name>mapreduce.jobhistory.webapp.address</name><value>"
                  + "127.0.0.1:"
                  + server.getAddress().getPort()
                  + "</value></property></configuration>");
      Finding finding =
          new JobHistory(SiteConfig.read(List.of(site), Variables.ofThisTool()))
              .look(1_000_000_000);
      assertThat(finding.text())
          .isEqualTo(
              "of the last day's 4 jobs 2 would have run in engines by their configuration; not: 1"
                  + " with cache files and mammoth.engine.cache-links=false, 1 with"
                  + " mapreduce.pipes.executable");
    } finally {
      server.stop(0);
    }
  }
}
