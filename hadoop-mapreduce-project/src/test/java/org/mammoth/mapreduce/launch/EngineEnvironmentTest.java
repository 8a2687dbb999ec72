// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineEnvironmentTest {

  /** Java 17 takes its charset from them, and a task on stock has none. */
  @Test
  void localeAndOptionsOfItsJvmAreThoseOfContainers() {
    Map<String, String> ofNodeManager =
        Map.of(
            "PATH", "/bin",
            "HADOOP_HOME", "/hadoop",
            "KRB5_CONFIG", "/etc/own.conf",
            "LANG", "de_DE.UTF-8",
            "LC_ALL", "C.UTF-8",
            "LANGUAGE", "de",
            "JAVA_TOOL_OPTIONS", "-javaagent:meter.jar=7000");
    Map<String, String> inherited =
        Map.of("PATH", "/of/shell", "LANG", "de_DE.UTF-8", "TZ", "Asia/Tokyo");
    assertThat(EngineEnvironment.of(ofNodeManager, inherited))
        .containsOnly(
            Map.entry("PATH", "/bin"),
            Map.entry("HADOOP_HOME", "/hadoop"),
            Map.entry("KRB5_CONFIG", "/etc/own.conf"),
            Map.entry("LANG", "de_DE.UTF-8"),
            Map.entry("TZ", "Asia/Tokyo"));
  }
}
