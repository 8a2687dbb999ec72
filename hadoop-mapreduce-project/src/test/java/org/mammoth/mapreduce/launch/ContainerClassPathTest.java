// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class path that upstream's MRApps.setClasspath writes, read in a container's folder. */
class ContainerClassPathTest {

  @TempDir private Path node;
  private Path workDir;
  private Path hadoopJar;
  private String shared;

  @BeforeEach
  void makeNode() throws IOException {
    // The launch makes it, later.
    workDir = node.resolve("container");
    hadoopJar = file("hadoop/share/hadoop-common-3.4.2.jar");
  }

  private Path file(String name) throws IOException {
    Path file = node.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, name);
  }

  private ContainerClassPath read(
      String classPath, Map<org.apache.hadoop.fs.Path, List<String>> resources) {
    return read(classPath, "", resources);
  }

  private ContainerClassPath read(
      String classPath, String ofJob, Map<org.apache.hadoop.fs.Path, List<String>> resources) {
    ContainerEnvironment environment =
        new ContainerEnvironment(
            Map.of(),
            Map.of(
                "PWD",
                workDir.toString(),
                "HADOOP_COMMON_HOME",
                node.resolve("hadoop").toString(),
                "CLASSPATH",
                classPath,
                "APP_CLASSPATH",
                ofJob));
    return new ContainerClassPath(
        environment.variables(),
        workDir.toFile(),
        ContainerLinks.of(resources),
        new SharedClassPath(shared == null ? hadoopJar.toString() : shared));
  }

  private static org.apache.hadoop.fs.Path hadoop(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri());
  }

  /** As of an engine: Hadoop's jar and the node's configuration. */
  private Optional<String> otherSettings(
      String classPath, Map<org.apache.hadoop.fs.Path, List<String>> resources) {
    return read(classPath, resources).otherSettings(SettingsFiles.jarNames());
  }

  @Test
  void settingsOfTheJobsOwnNeedAProcess() throws IOException {
    String classPath = "$PWD:" + node.resolve("conf") + ":$HADOOP_COMMON_HOME/share/*:job.jar/*";
    assertThat(otherSettings(classPath, Map.of())).isEmpty();
    Path shipped = file("filecache/10/core-site.xml");
    assertThat(otherSettings(classPath, Map.of(hadoop(shipped), List.of("core-site.xml"))))
        .hasValueSatisfying(reason -> assertThat(reason).contains("another core-site.xml"));
    Path log = file("filecache/11/mine.properties");
    Map<org.apache.hadoop.fs.Path, List<String>> logSettings =
        Map.of(hadoop(log), List.of("container-log4j.properties"));
    assertThat(otherSettings(classPath, logSettings))
        .hasValueSatisfying(reason -> assertThat(reason).contains("container-log4j.properties"));
    assertThat(otherSettings(classPath, Map.of(hadoop(shipped), List.of("other.xml")))).isEmpty();
  }

  @Test
  void settingsOfAnotherFolderNeedAProcess() throws IOException {
    file("etc/hdfs-site.xml");
    assertThat(otherSettings("$PWD:" + node.resolve("etc"), Map.of()))
        .hasValueSatisfying(
            reason -> assertThat(reason).endsWith(node.resolve("etc/hdfs-site.xml").toString()));
  }

  /**
   * Whoever packs all of a project's resources ships them, and a process without others has them.
   */
  @Test
  void settingsInAJarCountWhereTheNodeHasNone() throws IOException {
    Path jar = node.resolve("filecache/10/job.jar/job.jar");
    Files.createDirectories(jar.getParent());
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("mapred-site.xml"));
    }
    Map<org.apache.hadoop.fs.Path, List<String>> job =
        Map.of(hadoop(jar.getParent()), List.of("job.jar"));
    assertThat(otherSettings("$PWD:$HADOOP_COMMON_HOME/share/*:job.jar/*", job)).isPresent();
    file("hadoop/conf/mapred-site.xml");
    shared = node.resolve("hadoop/conf") + ":" + hadoopJar;
    String nodes = "$PWD:" + node.resolve("hadoop/conf") + ":job.jar/*";
    assertThat(otherSettings(nodes, job)).isEmpty();
  }

  @Test
  void takesAllThatTheClientPutsThere() throws IOException {
    Path jobJar = file("filecache/10/job.jar/job.jar");
    Path nested = file("filecache/10/job.jar/lib/nested.jar");
    Path libjar = file("filecache/11/libjars/avro.jar");
    Path plain = file("filecache/12/rules.txt");
    Files.createDirectories(jobJar.resolveSibling("classes"));
    ContainerClassPath found =
        read(
            "$PWD:$HADOOP_COMMON_HOME/share/*:job.jar/*:job.jar/classes/:job.jar/lib/*"
                + ":$PWD/*:$PWD/rules.txt:$PWD/libjars/*",
            Map.of(
                hadoop(jobJar.getParent()), List.of("job.jar"),
                hadoop(libjar.getParent()), List.of("libjars/*"),
                hadoop(plain), List.of("rules.txt")));

    assertThat(found.entries())
        .containsExactly(
            workDir.toString(),
            jobJar.toString(),
            jobJar.resolveSibling("classes").toString(),
            nested.toString(),
            libjar.toString(),
            jobJar.getParent().toString(),
            plain.toString());
    assertThat(found.otherHadoop()).isEmpty();
  }

  @Test
  void aJobsOwnClassPathIsApartFromTheNodes() throws IOException {
    Path jobJar = file("filecache/10/job.jar/job.jar");
    Path lzo = file("hadoop/share/hadoop-lzo-0.4.20.jar");
    Path library = file("filecache/11/codes-1.2.jar");
    ContainerClassPath found =
        read(
            "$PWD:$HADOOP_COMMON_HOME/share/*",
            "job.jar/job.jar:$PWD/*",
            Map.of(
                hadoop(jobJar.getParent()), List.of("job.jar"),
                hadoop(library), List.of("codes.jar")));
    // Its loader is URLClassLoader's kind, which follows no link: programs look for files beside
    // the jar that they come from.
    assertThat(found.entries())
        .containsExactly(
            workDir.resolve("job.jar/job.jar").toString(), workDir.resolve("codes.jar").toString());
    assertThat(found.nodeEntries()).containsExactly(workDir.toString(), lzo.toString());
    assertThat(found.allEntries())
        .containsExactly(workDir.toString(), lzo.toString(), jobJar.toString(), library.toString());
  }

  @Test
  void isTheLaunchersPropertyToo() throws IOException {
    Path jobJar = file("filecache/10/job.jar/job.jar");
    Path libjar = file("filecache/11/libjars/avro.jar");
    file("hadoop/share/notes.txt");
    String home = workDir.toString();
    ContainerClassPath found =
        read(
            "$PWD:$HADOOP_COMMON_HOME/share/*:/missing/*:job.jar/job.jar:job.jar/lib/*::$PWD/*",
            Map.of(
                hadoop(jobJar.getParent()), List.of("job.jar"),
                hadoop(libjar.getParent()), List.of("libjars/*")));
    assertThat(found.property().split(":"))
        .containsExactlyInAnyOrder(
            home,
            hadoopJar.toString(),
            "/missing/*",
            "job.jar/job.jar",
            "job.jar/lib/*",
            "",
            home + "/job.jar",
            home + "/avro.jar");
    assertThat(found.property()).startsWith(home + ":" + hadoopJar + ":/missing/*:");
  }

  @Test
  void knowsSharedJarsByTheirRealPath() throws IOException {
    Files.createSymbolicLink(node.resolve("current"), node.resolve("hadoop"));
    assertThat(read(node.resolve("current") + "/share/*", Map.of()).entries()).isEmpty();
  }

  @Test
  void namesTheJobsJarsByTheirRealPaths() throws IOException {
    Path library = file("filecache/11/codes.jar");
    Path disk = node.resolve("disk");
    Files.createSymbolicLink(disk, node.resolve("filecache"));
    ContainerClassPath found =
        read("$PWD:$PWD/*", Map.of(hadoop(disk.resolve("11/codes.jar")), List.of("codes.jar")));
    assertThat(found.entries())
        .containsExactly(workDir.toString(), library.toRealPath().toString());
  }

  @Test
  void takesTheSameJarOfAnotherInstallationForShared() throws IOException {
    Path same = node.resolve("other/hadoop-common-3.4.2.jar");
    Files.createDirectories(same.getParent());
    Files.copy(hadoopJar, same);
    assertThat(read(same.toString(), Map.of()).entries()).isEmpty();
  }

  @Test
  void reportsAnotherHadoop() throws IOException {
    Path old = file("old/hadoop-common-3.3.6.jar");
    assertThat(read(old.toString(), Map.of()).otherHadoop()).hasValue(old.toString());
    Path tests = file("hadoop/share/hadoop-common-3.4.2-tests.jar");
    assertThat(read(tests.toString(), Map.of()).otherHadoop()).isEmpty();
  }

  @Test
  void jarsOfTheJobMayBeHadoops() throws IOException {
    Path packed = file("filecache/13/hadoop-common-2.7.7.jar");
    ContainerClassPath found =
        read("$PWD/*", Map.of(hadoop(packed), List.of("hadoop-common-2.7.7.jar")));
    assertThat(found.entries()).containsExactly(packed.toString());
    assertThat(found.otherHadoop()).isEmpty();
  }
}
