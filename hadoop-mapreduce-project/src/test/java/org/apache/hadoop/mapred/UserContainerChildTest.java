// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.EngineKeys;

class UserContainerChildTest {

  @TempDir private Path folder;

  @Test
  void aJobThatIsOptedOutIsFoundOut() throws Exception {
    Path file = folder.resolve("job.xml");
    Configuration job = new Configuration(false);
    for (String value : new String[] {"false", "true"}) {
      job.set(EngineKeys.ENABLED.name(), value);
      try (OutputStream out = Files.newOutputStream(file)) {
        job.writeXml(out);
      }
      assertThat(UserContainerChild.isOptedOut(file.toFile())).isEqualTo(value.equals("false"));
    }
    job.unset(EngineKeys.ENABLED.name());
    try (OutputStream out = Files.newOutputStream(file)) {
      job.writeXml(out);
    }
    assertThat(UserContainerChild.isOptedOut(file.toFile())).isFalse();
  }
}
