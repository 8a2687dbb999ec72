// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.upgrade.tree.SiteConfig;
import org.mammoth.upgrade.tree.Variables;

class OverlayTest {

  @TempDir Path folder;

  @Test
  void ownKeysGoBeforeTheAdministratorsAndNothingElseDoes() throws IOException {
    Path site =
        Files.writeString(
            folder.resolve("yarn & site.xml"),
            "<configuration>"
                + "<property><name>yarn.nodemanager.aux-services</name>"
                + "<value>mapreduce_shuffle,spark_shuffle</value></property>"
                + "<property><name>"
                + Overlay.SHUFFLE_KEY
                + "</name><value>org.apache.hadoop.mapred.ShuffleHandler</value></property>"
                + "</configuration>");
    Map<String, String> keys = Overlay.keys(Optional.of(Path.of("/opt/java & 17")));
    Path overlay = Files.writeString(folder.resolve("overlay.xml"), Overlay.text(site, keys));
    SiteConfig conf = SiteConfig.read(List.of(overlay), Variables.ofThisTool());
    assertThat(conf.get("yarn.nodemanager.aux-services", ""))
        .isEqualTo("mapreduce_shuffle,spark_shuffle");
    keys.forEach((key, value) -> assertThat(conf.get(key, "")).isEqualTo(value));
    assertThat(conf.keys("")).hasSize(4);
    assertThat(Overlay.keys(Optional.empty())).hasSize(2);
  }
}
