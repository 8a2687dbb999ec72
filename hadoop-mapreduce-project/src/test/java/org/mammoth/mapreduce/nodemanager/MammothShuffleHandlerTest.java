// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A NodeManager ends if one of its services does not start. */
class MammothShuffleHandlerTest {

  @TempDir private Path disk;

  @ParameterizedTest
  @CsvSource({
    "mammoth.engine.enabled, True",
    "mammoth.shuffle.port, 70000",
    "mammoth.io.ssd-dirs, a%zz:b",
    "mammoth.shuffle.max-connections, many",
  })
  void theStockPortServesWhateverAKeySays(String key, String value) throws Exception {
    Configuration conf = new YarnConfiguration();
    conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, 0);
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, disk.toString());
    conf.set(key, value);
    ApplicationId application = ApplicationId.newInstance(7, 1);
    try (ShuffleService service = new ShuffleService(conf, true)) {
      service.begin(application, "ann", new byte[] {1});
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
        socket
            .getOutputStream()
            .write("POST / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .contains("405");
      }
      service.end(application);
    }
  }
}
