// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.Shell.CommandExecutor;
import org.apache.hadoop.util.Shell.ShellCommandExecutor;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mammoth.api.Beans;
import org.mammoth.engine.config.EngineKeys;

/** Whatever Mammoth fails at, the node and its containers are as on stock. */
class GuardedEnginesTest {

  private static final String CONTAINER = "container_1700000000000_0001_01_000002";
  private static final String TASK =
      "$JAVA_HOME/bin/java -Xmx400m -Dyarn.app.container.log.dir=/logs/c1"
          + " org.apache.hadoop.mapred.YarnChild 127.0.0.1 1"
          + " attempt_1700000000000_0001_m_000001_0 2 1>/logs/c1/stdout 2>/logs/c1/stderr ";

  @TempDir private Path folder;

  private final Configuration conf = new YarnConfiguration();
  private final CommandExecutor ordinary = new ShellCommandExecutor(new String[] {"true"});

  @BeforeEach
  void configure() {
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, folder.resolve("local").toString());
    conf.set(EngineKeys.MEMORY_MB.name(), "1000");
  }

  @ParameterizedTest
  @CsvSource({
    "mammoth.engine.memory-mb, 100",
    "mammoth.engine.memory-mb, none",
    "mammoth.memory.pool-fraction, 0.9",
    "mammoth.appmaster.hosts, 0"
  })
  void aNodeManagerStartsWhereTheEngineDoesNotFit(String key, String value) throws Exception {
    conf.set(key, value);
    for (boolean enabled : new boolean[] {true, false}) {
      conf.setBoolean(EngineKeys.ENABLED.name(), enabled);
      MammothContainerExecutor executor = new MammothContainerExecutor();
      executor.setConf(conf);
      executor.init(null);
      try {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        executor.writeLaunchEnv(
            out,
            Map.of("CLASSPATH", "/classes"),
            Map.of(),
            List.of(TASK),
            new org.apache.hadoop.fs.Path("/logs"),
            "ann",
            new LinkedHashSet<>());
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("mapred.YarnChild 127.0.0.1");
      } finally {
        executor.stop();
      }
    }
  }

  /** Its engines of an earlier life, its status and its orders are there nevertheless. */
  @ParameterizedTest
  @CsvSource({"true, 100", "false, 100", "true, none"})
  void aNodeWithoutRoomForAnEngineHasAllElse(boolean enabled, String memory) throws Exception {
    conf.setBoolean(EngineKeys.ENABLED.name(), enabled);
    conf.set(EngineKeys.MEMORY_MB.name(), memory);
    NodeEngines engines = NodeEngines.start(conf);
    assertThat(engines.plan(context(":/classes")).command(null, ordinary)).isSameAs(ordinary);
    engines.stop();
  }

  @Test
  void aContainerThatCannotBeJudgedRunsAsOnStock() throws Exception {
    assertThat(command(":/classes", (engines, context) -> engines.plan(context)))
        .isInstanceOf(InEngineCommand.class);
    assertThat(command(":gr\0\0e.jar", (engines, context) -> engines.plan(context)))
        .as("of a class path that this JVM cannot read")
        .isSameAs(ordinary);
  }

  @Test
  void aContainerThatCannotBeJudgedIsToldOf() throws Exception {
    GuardedEngines engines = GuardedEngines.start(conf, () -> NodeEngines.start(conf));
    try {
      ContainerStartContext unreadable = context(":gr\0\0e.jar");
      engines.plan(unreadable).command(new org.apache.hadoop.fs.Path("/pid"), ordinary);
      ObjectName bean = new ObjectName(Beans.ENGINES);
      assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(bean, "Fallbacks"))
          .isEqualTo(1L);
    } finally {
      engines.stop();
    }
  }

  @Test
  void aLaunchScriptThatCannotBeAdaptedIsStocks() throws Exception {
    AtomicReference<LaunchScript> written = new AtomicReference<>();
    LaunchScript stock = new LaunchScript(Map.of("A", "b"), List.of(TASK));
    command(
        "",
        (engines, context) -> {
          written.set(
              engines.script(
                  stock,
                  context.getLocalizedResources(),
                  (script, links) -> {
                    script.command().set(0, "half");
                    assertThat(links).containsExactly("job.xml");
                    throw new NoClassDefFoundError("of ours");
                  }));
          return engines.plan(context);
        });
    assertThat(written.get()).isEqualTo(stock);
  }

  private CommandExecutor command(
      String classPath, BiFunction<GuardedEngines, ContainerStartContext, PlannedLaunch> plan)
      throws IOException {
    GuardedEngines engines = GuardedEngines.start(conf, () -> NodeEngines.start(conf));
    try {
      return plan.apply(engines, context(classPath))
          .command(new org.apache.hadoop.fs.Path("/pid"), ordinary);
    } finally {
      engines.stop();
    }
  }

  private ContainerStartContext context(String classPath) throws IOException {
    Path jobFile = folder.resolve("job.xml");
    try (OutputStream out = Files.newOutputStream(jobFile)) {
      new JobConf(false).writeXml(out);
    }
    ContainerLaunchContext launch =
        ContainerLaunchContext.newInstance(
            Map.of(),
            Map.of("PWD", folder.resolve("work").toString(), "CLASSPATH", "$PWD" + classPath),
            List.of(TASK),
            null,
            null,
            null);
    Container container =
        (Container)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Container.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "getContainerId" -> ContainerId.fromString(CONTAINER);
                      case "getResource" -> Resource.newInstance(500, 1);
                      case "getLaunchContext" -> launch;
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    return new ContainerStartContext.Builder()
        .setContainer(container)
        .setLocalizedResources(
            Map.of(new org.apache.hadoop.fs.Path(jobFile.toUri()), List.of("job.xml")))
        .setUser("ann")
        .setAppId("application_1700000000000_0001")
        .setContainerWorkDir(new org.apache.hadoop.fs.Path(folder.resolve("work").toUri()))
        .setApplicationLocalDirs(List.of(folder.toString()))
        .setLogDirs(List.of(folder.resolve("logs").toString()))
        .build();
  }
}
