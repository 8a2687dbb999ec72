// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the console says of a log of which it reads the end. */
class ContainerLogsTest {

  private static final int MIB = 1 << 20;

  private final HttpClient client = new HttpClient();
  private Server server;
  private String origin;
  private ContainerLogs logs;
  private volatile String content = "";

  @BeforeEach
  void start() throws Exception {
    server = new Server(new InetSocketAddress("127.0.0.1", 0));
    server.setHandler(
        new AbstractHandler() {
          @Override
          public void handle(
              String target, Request base, HttpServletRequest request, HttpServletResponse response)
              throws IOException {
            base.setHandled(true);
            int size = -Integer.parseInt(request.getParameter("size"));
            response.setContentType("text/plain");
            response
                .getWriter()
                .write(
                    "LogType:syslog\nLogLength:"
                        + content.length()
                        + "\nLogContents:\n"
                        + content.substring(Math.max(0, content.length() - size))
                        + "\nEnd of LogType:syslog\n");
          }
        });
    server.start();
    origin = "http://127.0.0.1:" + server.getURI().getPort();
    client.start();
    ClusterHttp http = new ClusterHttp(client, "");
    http.admit(origin);
    logs = new ContainerLogs(http, Addresses.of(new Configuration(false)), 60_000);
  }

  @AfterEach
  void stop() throws Exception {
    client.stop();
    server.stop();
  }

  private ContainerLogs.LogTail last(String text) throws Exception {
    content = text;
    return logs.last(origin, "container_1_0001_01_000002", "syslog", MIB).get(60, TimeUnit.SECONDS);
  }

  @Test
  void ofAFileThatIsLongerItSaysThatThereIsMore() throws Exception {
    ContainerLogs.LogTail whole = last("ERROR first\nlast\n");
    assertThat(whole.text()).isEqualTo("ERROR first\nlast");
    assertThat(whole.longer()).isFalse();
    assertThat(last("x".repeat(MIB)).longer()).isFalse();
    ContainerLogs.LogTail end = last("ERROR first\n" + "line\n".repeat(MIB / 2));
    assertThat(end.text()).doesNotContain("ERROR");
    assertThat(end.longer()).isTrue();
  }
}
