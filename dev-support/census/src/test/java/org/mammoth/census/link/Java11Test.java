// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Daemons, clients and ordinary tasks on Java 11 load the jars of the release, and what may run in
 * them calls nothing of a later Java. Engines have a Java of their own.
 */
class Java11Test {

  private static final Path RELEASE = Path.of(System.getProperty("census.release"));

  /** What configurations, scripts and containers begin with by name, outside of engines. */
  private static final List<String> BEGINNINGS =
      List.of(
          "org/mammoth/mapreduce/nodemanager/MammothContainerExecutor",
          "org/mammoth/mapreduce/nodemanager/MammothLinuxContainerExecutor",
          "org/mammoth/mapreduce/nodemanager/MammothShuffleHandler",
          "org/mammoth/mapreduce/cli/MammothCli",
          "org/apache/hadoop/mapred/OrdinaryContainerChild",
          "org/apache/hadoop/mapred/UserContainerChild",
          "org/apache/hadoop/mapred/FallbackCountingRpcEngine",
          "org/mammoth/hdfs/dataset/CachingDatasetFactory",
          "org/mammoth/hdfs/master/NameNodePlugin",
          "org/mammoth/hdfs/master/JobInputs",
          "org/mammoth/hdfs/tool/MpCacheCommand");

  /** Their callers ask for the Java that runs first. */
  private static final Set<String> NEVER =
      Set.of(
          "org/mammoth/engine/isolation/rewrite/RewriterSelfTest",
          "org/mammoth/hdfs/slave/UnixSockets");

  @Test
  void whatRunsOutsideOfEnginesCallsNothingOfALaterJava() throws IOException {
    List<Path> ours = LinkCheck.ours(RELEASE.resolve("mammoth"));
    List<Path> jars = new ArrayList<>(ours);
    try (Stream<Path> files = Files.walk(RELEASE)) {
      files
          .filter(file -> file.toString().endsWith(".jar"))
          .filter(file -> !file.startsWith(RELEASE.resolve("mammoth/console")))
          .sorted()
          .forEach(jars::add);
    }
    Map<String, byte[]> classes = new HashMap<>();
    for (Path jar : ours) {
      classes.putAll(ClassPath.classesOf(jar));
    }
    ClassPath java17 = new ClassPath(jars, Platform.ofThisJvm());
    Reached reached = new Reached(classes, java17, BEGINNINGS, NEVER);
    assertThat(reached.size()).isGreaterThan(2_000);
    try (Platform java11 = Platform.ofRelease(11)) {
      Set<String> problems =
          LinkCheck.problems(ours, new ClassPath(jars, java11), java17, reached::contains);
      assertThat(problems).isEmpty();
    }
  }

  @Test
  void classFilesAreOfJava11() throws IOException {
    for (Path jar : LinkCheck.ours(RELEASE.resolve("mammoth"))) {
      Set<Integer> versions =
          ClassPath.classesOf(jar).values().stream()
              .map(code -> (code[6] & 0xff) << 8 | code[7] & 0xff)
              .collect(Collectors.toSet());
      assertThat(versions).as(jar.toString()).containsExactly(11 + 44);
    }
  }

  @Test
  void whatWereRecordsInTheSourcesBehaveAsSuch() throws Exception {
    String engine =
        "{\"engineId\":\"e\",\"user\":\"ann\",\"pid\":7,\"role\":\"TASKS\",\"open\":true,\"ageMs\":-1,"
            + "\"problem\":\"\",\"snapshot\":null}";
    String text =
        "{\"version\":1,\"atMs\":5,\"enabled\":true,\"shareMb\":9,\"admittedMb\":3,\"admittedTasks\":2,"
            + "\"fallbacks\":null,\"host\":null,\"ended\":[],\"engines\":["
            + engine
            + "]}";
    List<URL> urls = new ArrayList<>();
    for (Path jar : LinkCheck.ours(RELEASE.resolve("mammoth"))) {
      urls.add(jar.toUri().toURL());
    }
    try (DirectoryStream<Path> jackson =
        Files.newDirectoryStream(RELEASE.resolve("common/lib"), "jackson-*.jar")) {
      for (Path jar : jackson) {
        urls.add(jar.toUri().toURL());
      }
    }
    try (URLClassLoader release =
        new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      Class<?> type = release.loadClass("org.mammoth.api.status.NodeSnapshot");
      assertThat(type.getSuperclass()).isEqualTo(Object.class);
      Class<?> json = release.loadClass("org.mammoth.api.status.StatusJson");
      Object mapping = json.getConstructor().newInstance();
      Method read = json.getMethod("read", String.class, Class.class);
      Object node = read.invoke(mapping, text, type);
      assertThat(json.getMethod("write", Object.class).invoke(mapping, node)).isEqualTo(text);
      assertThat(node)
          .hasToString(
              "NodeSnapshot[version=1, atMs=5, enabled=true, shareMb=9, admittedMb=3, admittedTasks=2,"
                  + " fallbacks=null, host=null, ended=[], engines=[Engine[engineId=e, user=ann, pid=7, role=TASKS,"
                  + " open=true, ageMs=-1, problem=, snapshot=null]]]")
          .isEqualTo(read.invoke(mapping, text, type))
          .hasSameHashCodeAs(read.invoke(mapping, text, type))
          .isNotEqualTo(read.invoke(mapping, text.replace("ann", "bob"), type));
    }
  }

  @Test
  void anOlderReleaseLacksWhatCameLater() throws IOException {
    try (Platform java11 = Platform.ofRelease(11)) {
      assertThat(java11.find("java/lang/String")).isNotNull();
      assertThat(java11.find("java/lang/Record")).isNull();
    }
    assertThat(Platform.ofThisJvm().find("java/lang/Record")).isNotNull();
    assertThatThrownBy(() -> Platform.ofRelease(35)).hasMessageContaining("nothing of Java 35");
  }
}
