// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskCommandTest {

  /** As upstream's MapReduceChildJVM writes it, after the NodeManager's expansion. */
  private static final String COMMAND =
      "$JAVA_HOME/bin/java -Djava.net.preferIPv4Stack=true -Dhadoop.metrics.log.level=WARN "
          + "--add-opens=java.base/java.lang=ALL-UNNAMED --add-exports=java.base/sun.net.dns="
          + "ALL-UNNAMED  -Xmx820m -Djava.io.tmpdir=$PWD/tmp "
          + "-Dlog4j.configuration=container-log4j.properties "
          + "-Dyarn.app.container.log.dir=/logs/c1 -Dyarn.app.container.log.filesize=0 "
          + "-Dhadoop.root.logger=INFO,CLA -Dhadoop.root.logfile=syslog "
          + "org.apache.hadoop.mapred.YarnChild 127.0.0.1 35001 "
          + "attempt_1700000000000_0001_m_000003_1 2199023255555 1>/logs/c1/stdout "
          + "2>/logs/c1/stderr ";

  private final CommandRules rules = new CommandRules(Map.of("TZ", "UTC"));

  private static TaskCommand recognised(String command) {
    return TaskCommand.recognise(List.of(command)).orElseThrow();
  }

  @Test
  void recognisesUpstreamsCommand() {
    TaskCommand command = recognised(COMMAND);
    assertThat(command.attempt()).hasToString("attempt_1700000000000_0001_m_000003_1");
    assertThat(command.arguments())
        .containsExactly(
            "127.0.0.1", "35001", "attempt_1700000000000_0001_m_000003_1", "2199023255555");
    assertThat(command.properties()).containsEntry("yarn.app.container.log.dir", "/logs/c1");
    assertThat(command.logLevel()).isEqualTo("INFO");
    assertThat(command.heapMb()).isEqualTo(820);
    assertThat(recognised(COMMAND.replace("-Xmx820m", "-Xmx1g -Xmx2g")).heapMb()).isEqualTo(2048);
    assertThat(recognised(COMMAND.replace("-Xmx820m", "")).heapMb()).isZero();
    assertThat(rules.reasonAgainst(command)).isEmpty();
  }

  @Test
  void packagesThatNoEngineOpensNeedAProcess() {
    String more = " --add-opens=java.base/java.net=ALL-UNNAMED -Xmx820m";
    assertThat(rules.reasonAgainst(recognised(COMMAND.replace(" -Xmx820m", more)))).isEmpty();
    for (String other :
        List.of(
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports=java.management/sun.management=ALL-UNNAMED",
            "--add-modules=jdk.incubator.vector")) {
      assertThat(rules.reasonAgainst(recognised(COMMAND.replace("-Xmx820m", other))))
          .hasValueSatisfying(reason -> assertThat(reason).contains(other));
    }
  }

  @Test
  void anythingElseIsAnOrdinaryContainer() {
    for (String other :
        List.of(
            "sleep 10",
            COMMAND.replace("YarnChild", "YarnChild2"),
            COMMAND.replace("$JAVA_HOME/bin/java", "nice $JAVA_HOME/bin/java"),
            COMMAND.replace("35001", "port"),
            COMMAND.replace("attempt_1700000000000_0001_m_000003_1", "attempt_1"),
            COMMAND.replace("1>/logs/c1/stdout", ""),
            COMMAND + " && rm -rf /",
            COMMAND.replace("YarnChild 127", "YarnChild extra 127"))) {
      boolean taken =
          TaskCommand.recognise(List.of(other)).isPresent()
              && rules.reasonAgainst(recognised(other)).isEmpty();
      assertThat(taken).as(other).isFalse();
    }
    assertThat(TaskCommand.recognise(List.of(COMMAND, COMMAND))).isEmpty();
  }

  @Test
  void optionsOfTheJobNeedAProcessUnlessTheyOnlySizeTheHeap() {
    assertThat(rules.reasonAgainst(recognised(COMMAND.replace("-Xmx820m", "-Xmx2g -XX:+UseG1GC"))))
        .isEmpty();
    assertThat(
            rules.reasonAgainst(
                recognised(COMMAND.replace("-Xmx820m", "-Xmx1g -XX:TieredStopAtLevel=1"))))
        .isEmpty();
    assertThat(rules.reasonAgainst(recognised(COMMAND.replace("-Xmx820m", "-Dmy.flag=1"))))
        .isEmpty();
    assertThat(rules.reasonAgainst(recognised(COMMAND.replace("-Xmx820m", "-Dhttp.proxyPort=1"))))
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("java.opts").contains("http.proxyPort"));
    assertThat(rules.reasonAgainst(recognised(COMMAND.replace("-Xmx820m", "-Xss16m")))).isPresent();
    assertThat(rules.reasonAgainst(recognised(COMMAND.replace("-Xmx820m", "-javaagent:x.jar"))))
        .isPresent();
  }

  @Test
  void aHeapWithWhichNoJvmStartsNeedsAProcess() {
    for (String heap : List.of("-Xmx1024", "-Xmx7m", "-Xms2g -Xmx1g", "-Xmx1g -Xmx512k")) {
      assertThat(rules.reasonAgainst(recognised(COMMAND.replace("-Xmx820m", heap))))
          .as(heap)
          .hasValueSatisfying(reason -> assertThat(reason).contains("no JVM starts"));
    }
    for (String heap : List.of("-Xmx1g -Xms1g", "-Xmx1024 -Xmx1g", "-Xms100m")) {
      assertThat(rules.reasonAgainst(recognised(COMMAND.replace("-Xmx820m", heap))))
          .as(heap)
          .isEmpty();
    }
  }

  @Test
  void finerLogsAndThoseOfOtherAppendersNeedAProcess() {
    assertThat(rules.reasonAgainst(recognised(COMMAND.replace("INFO,CLA", "DEBUG,CLA"))))
        .hasValueSatisfying(reason -> assertThat(reason).contains("DEBUG"));
    for (String kept : List.of("WARN,CLA", "INFO,CRLA")) {
      assertThat(rules.reasonAgainst(recognised(COMMAND.replace("INFO,CLA", kept)))).isEmpty();
    }
    assertThat(rules.reasonAgainst(recognised(COMMAND.replace("INFO,CLA", "INFO,console"))))
        .contains("its log goes elsewhere (-Dhadoop.root.logger=INFO,console)");
    String shuffle = "-Dyarn.app.mapreduce.shuffle.logger=INFO,";
    for (String kept : List.of("shuffleCLA", "shuffleCRLA")) {
      assertThat(rules.reasonAgainst(recognised(COMMAND.replace("-Xmx820m", shuffle + kept))))
          .isEmpty();
    }
    assertThat(rules.reasonAgainst(recognised(COMMAND.replace("-Xmx820m", shuffle + "mine"))))
        .hasValueSatisfying(reason -> assertThat(reason).contains("INFO,mine"));
  }

  @Test
  void whatTheJvmItselfReadsMustBeAsTheNodeHasIt() {
    assertThat(rules.reasonAgainst(Map.of("MY_VAR", "1", "LD_LIBRARY_PATH", "/x"))).isEmpty();
    assertThat(rules.reasonAgainst(Map.of("TZ", "UTC"))).isEmpty();
    assertThat(rules.reasonAgainst(Map.of("TZ", "Asia/Tokyo"))).contains("its environment sets TZ");
    assertThat(rules.reasonAgainst(Map.of("LD_PRELOAD", "/x.so")))
        .contains("its environment sets LD_PRELOAD");
    assertThat(rules.reasonAgainst(Map.of("LC_ALL", "de_DE.UTF-8"))).isPresent();
    assertThat(rules.reasonAgainst(Map.of("JAVA_TOOL_OPTIONS", "-Xint"))).isPresent();
  }

  /** Upstream chooses one of several disks, and looks there for what a failed container printed. */
  @Test
  void logsLieWhereTheCommandPrints() {
    assertThat(HostedLaunch.logDirOf(COMMAND)).contains("/logs/c1");
    assertThat(HostedLaunch.logDirOf(COMMAND.replace("1>/logs/c1/stdout", ""))).isEmpty();
  }

  @Test
  void whatAJvmLogsOfItselfNeedsAProcess() {
    for (String logged : List.of("-verbose:gc", "-Xlog:gc*:file=/logs/c1/gc.log", "-Xlog:gc")) {
      assertThat(rules.reasonAgainst(recognised(COMMAND.replace("-Xmx820m", logged))))
          .as(logged)
          .hasValueSatisfying(reason -> assertThat(reason).contains(logged));
    }
  }

  /** Engines are started without. */
  @Test
  void addressesOfTheNewerKindNeedAProcess() {
    String newer = COMMAND.replace("preferIPv4Stack=true", "preferIPv4Stack=false");
    assertThat(rules.reasonAgainst(recognised(newer))).isPresent();
  }

  /** Log4j makes DEBUG of what it does not know. */
  @Test
  void levelsThatLog4jDoesNotKnowNeedAProcess() {
    assertThat(rules.reasonAgainst(recognised(COMMAND.replace("INFO,CLA", "none,CLA"))))
        .hasValueSatisfying(reason -> assertThat(reason).contains("NONE"));
    assertThat(rules.reasonAgainst(recognised(COMMAND.replace("INFO,CLA", "off,CLA")))).isEmpty();
  }

  @Test
  void dockerNeedsDocker() {
    assertThat(rules.reasonAgainst(Map.of("YARN_CONTAINER_RUNTIME_TYPE", "docker")))
        .contains("it runs in a docker container");
    assertThat(rules.reasonAgainst(Map.of("YARN_CONTAINER_RUNTIME_TYPE", "default"))).isEmpty();
  }
}
