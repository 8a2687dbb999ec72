// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnknownKeysTest {

  @Test
  void eachIsToldWithItsFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("yarn-site.xml");
    Files.writeString(
        file,
        "<configuration><property><name>mammoth.engine.memry-mb</name><value>1</value></property>"
            + "<property><name>mammoth.engine.memory-mb</name><value>1</value></property>"
            + "<property><name>yarn.no.such.key</name><value>1</value></property></configuration>");
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    List<String> told = new ArrayList<>();
    UnknownKeys.tell(conf, told::add);
    assertThat(told).hasSize(1);
    assertThat(told.get(0))
        .startsWith("mammoth.engine.memry-mb in ")
        .endsWith("yarn-site.xml is no key of Mammoth's; the nearest is mammoth.engine.memory-mb");
  }
}
