// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapred.OrdinaryContainerChild;
import org.junit.jupiter.api.Test;

class OrdinaryCommandTest {

  private static final String COMMAND =
      "$JAVA_HOME/bin/java -Xmx820m org.apache.hadoop.mapred.YarnChild 127.0.0.1 35001 "
          + "attempt_1700000000000_0001_m_000003_1 21 1>/logs/c1/stdout 2>/logs/c1/stderr ";

  private final List<String> commands = new ArrayList<>(List.of(COMMAND));
  private final Map<String, String> environment = new HashMap<>(Map.of("CLASSPATH", "$PWD"));

  private void adapt() {
    OrdinaryCommand.adapt(commands, environment, List.of(), Optional.empty());
  }

  @Test
  void aTaskCountsItself() {
    adapt();
    assertThat(commands.get(0)).contains(" " + OrdinaryContainerChild.class.getName() + " ");
    assertThat(environment.get("CLASSPATH")).startsWith("$PWD:");
  }

  /** Its image need not have this node's jars. */
  @Test
  void aTaskInAnImageIsStocks() {
    environment.put("YARN_CONTAINER_RUNTIME_TYPE", "docker");
    adapt();
    assertThat(commands).containsExactly(COMMAND);
    assertThat(environment).containsEntry("CLASSPATH", "$PWD");
  }

  /** It may be older than the class. */
  @Test
  void aTaskOnAJavaOfItsOwnIsStocks() {
    environment.put("JAVA_HOME", "/opt/jdk8");
    adapt();
    assertThat(commands).containsExactly(COMMAND);
    assertThat(environment).containsEntry("CLASSPATH", "$PWD");
  }
}
