// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.upgrade.node.Layout;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.JavaHome;
import org.mammoth.upgrade.tree.JavaProcess;
import org.mammoth.upgrade.tree.Release;
import org.mammoth.upgrade.tree.SiteConfig;
import org.mammoth.upgrade.tree.Variables;

/** The doctor on an installation of names and settings. */
class DoctorTest {

  private static final String GOOD =
      property("yarn.nodemanager.aux-services", "mapreduce_shuffle,spark_shuffle")
          + property("yarn.nodemanager.recovery.enabled", "true")
          + property("yarn.nodemanager.recovery.supervised", "true")
          + property("mammoth.shuffle.port", "0");

  @TempDir Path folder;

  private Path home;

  @BeforeEach
  void start() throws IOException {
    home = folder.resolve("hadoop");
    Files.createDirectories(home.resolve("share/hadoop/common"));
    Files.createDirectories(home.resolve("etc/hadoop"));
    Files.createDirectories(home.resolve("libexec/shellprofile.d"));
    hadoop("3.4.2");
    site("yarn-site.xml", GOOD);
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  private void site(String name, String inner) throws IOException {
    Files.writeString(
        home.resolve("etc/hadoop").resolve(name), "<configuration>" + inner + "</configuration>");
  }

  private void hadoop(String version) throws IOException {
    Files.writeString(home.resolve("share/hadoop/common/hadoop-common-" + version + ".jar"), "");
  }

  private Optional<String> obstacle = Optional.empty();
  private Optional<String> service = Optional.empty();

  private List<Finding> examine(String... accepted) throws IOException {
    HadoopTree tree = HadoopTree.at(home, null);
    Release release =
        new Release(List.of(), "0.1.0", "0.1.0-abc", folder.resolve("release/profile.sh"));
    return Doctor.examine(
        new Facts(
            tree,
            Layout.of(tree),
            tree.nodeManagerConfig(Variables.ofThisTool()),
            tree.jobConfig(),
            release,
            Optional.empty(),
            obstacle,
            service),
        Set.of(accepted));
  }

  private void assertError(String id, String text) throws IOException {
    List<Finding> findings = examine();
    assertThat(Doctor.isFit(findings)).isFalse();
    assertThat(findings)
        .filteredOn(finding -> finding.level() == Finding.Level.ERROR)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.id()).isEqualTo(id);
              assertThat(finding.text()).contains(text);
              assertThat(finding.remedy()).isNotEmpty();
            });
  }

  @Test
  void aNodeAsUpstreamDescribesItIsFit() throws IOException {
    List<Finding> findings = examine();
    assertThat(Doctor.isFit(findings)).isTrue();
    assertThat(findings).extracting(Finding::text).anyMatch(text -> text.endsWith("spark_shuffle"));
  }

  @Test
  void aServiceIsRestartedAsOneUnlessThatIsAccepted() throws IOException {
    Path groups = folder.resolve("cgroup");
    Files.writeString(groups, "0::/user.slice/user-0.slice/session-1.scope\n");
    assertThat(Service.in(groups)).isEmpty();
    Files.writeString(groups, "1:cpu:/\n0::/system.slice/hadoop-nodemanager.service\n");
    service = Service.in(groups);
    assertError("service", "is the service hadoop-nodemanager.service");
    assertThat(Doctor.isFit(examine("service"))).isTrue();
  }

  @Test
  void whatCannotBeSeenToBeWellIsNotRestarted() throws IOException {
    obstacle = Optional.of("the ResourceManager 127.0.0.1:8088 does not answer");
    assertError("health", "127.0.0.1:8088 does not answer");
    assertThat(Doctor.isFit(examine("health"))).isFalse();
  }

  @Test
  void foldersOfNetworksAreKnownByTheirKind() {
    assertThat(List.of("nfs4", "lustre", "fuse.glusterfs", "cifs", "9p", "ceph", "gpfs"))
        .allMatch(Machine::isOfNetwork);
    assertThat(List.of("ext4", "xfs", "btrfs", "zfs", "overlay", "tmpfs", "fuseblk", "ext3"))
        .noneMatch(Machine::isOfNetwork);
  }

  @Test
  void aKeyThatIsNoneIsToldWithTheFileAndTheNearest() throws IOException {
    site("mapred-site.xml", property("mammoth.engine.enabeld", "false"));
    site("hdfs-site.xml", property("mammoth.mpcache.master.port.ns1.nn2", "9000"));
    assertThat(examine())
        .filteredOn(finding -> finding.id().equals("unknown-key"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(Finding.Level.WARNING);
              assertThat(finding.text())
                  .isEqualTo(
                      "mammoth.engine.enabeld in "
                          + home.toRealPath().resolve("etc/hadoop/mapred-site.xml")
                          + " is no key of Mammoth's; the nearest is mammoth.engine.enabled");
            });
  }

  @Test
  void anotherExecutorWouldBeReplaced() throws IOException {
    String lce = "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor";
    site("yarn-site.xml", GOOD + property("yarn.nodemanager.container-executor.class", lce));
    assertThat(examine())
        .filteredOn(finding -> finding.id().equals("container-executor"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.text()).contains(lce));
  }

  @Test
  void anEncryptedShuffleNeedsBothFiles() throws IOException {
    site("mapred-site.xml", property("mapreduce.shuffle.ssl.enabled", "true"));
    site("ssl-server.xml", "");
    assertThat(examine())
        .filteredOn(finding -> finding.id().equals("shuffle-ssl"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(Finding.Level.WARNING);
              assertThat(finding.text()).contains("ssl-client.xml (hadoop.ssl.client.conf)");
            });
    site("ssl-client.xml", "");
    assertThat(examine())
        .filteredOn(finding -> finding.id().equals("shuffle-ssl"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.level()).isEqualTo(Finding.Level.OK));
  }

  @Test
  void whatWasAddedByHandIsSeen() throws IOException {
    Files.createDirectories(home.resolve("share/hadoop/mammoth"));
    assertError("added-by-hand", "share/hadoop/mammoth");
  }

  @Test
  void aFinalKeyCannotBeSet() throws IOException {
    site(
        "yarn-site.xml",
        GOOD
            + "<property><name>yarn.nodemanager.aux-services.mapreduce_shuffle.class</name>"
            + "<value>org.apache.hadoop.mapred.ShuffleHandler</value><final>true</final>"
            + "</property>");
    assertError("map-output-server", "final");
  }

  @Test
  void withoutRecoveryTasksAreLostUnlessThatIsAccepted() throws IOException {
    site(
        "yarn-site.xml",
        property("yarn.nodemanager.aux-services", "mapreduce_shuffle")
            + property("mammoth.shuffle.port", "0"));
    assertError("recovery", "yarn.nodemanager.recovery.enabled is false");
    assertThat(Doctor.isFit(examine("recovery"))).isTrue();
    assertThat(Doctor.isFit(examine("container-executor"))).isFalse();
  }

  @Test
  void tasksOfRootAreToldOf() throws IOException {
    String executor = "yarn.nodemanager.container-executor.class";
    for (String name : List.of("MammothContainerExecutor", "MammothLinuxContainerExecutor")) {
      site("yarn-site.xml", property(executor, "org.mammoth.mapreduce.nodemanager." + name));
      assertThat(ofNodeManager("hadoop")).as(name).doesNotContain("root");
      assertThat(ofNodeManager("root").contains("root"))
          .as(name)
          .isEqualTo(name.equals("MammothContainerExecutor"));
    }
  }

  private List<String> ofNodeManager(String owner) throws IOException {
    HadoopTree tree = HadoopTree.at(home, null);
    JavaProcess process = new JavaProcess(0, List.of(), Map.of(), owner);
    return InstalledNode.examine(
            tree, tree.nodeManagerConfig(Variables.ofThisTool()), Optional.of(process))
        .stream()
        .map(Finding::id)
        .toList();
  }

  @Test
  void kerberosKeepsEnginesOff() throws IOException {
    site("core-site.xml", property("hadoop.security.authentication", "kerberos"));
    assertError("security", "kerberos");
  }

  @Test
  void aTakenPortIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      site(
          "yarn-site.xml",
          GOOD + property("mammoth.shuffle.port", String.valueOf(taken.getLocalPort())));
      assertError("shuffle-port", String.valueOf(taken.getLocalPort()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "13563x", "70000", "-1"})
  void whatIsNoPortIsNamed(String port) throws IOException {
    site("yarn-site.xml", GOOD + property("mammoth.shuffle.port", port));
    assertError("shuffle-port", "mammoth.shuffle.port is '" + port + "'");
  }

  @Test
  void versionsThatWereNotTriedAreRefused() throws IOException {
    for (String version : List.of("3.3.3", "3.4.4", "3.6.0", "2.10.2")) {
      assertThat(Versions.hadoop(Optional.of(version)).level())
          .as(version)
          .isEqualTo(Finding.Level.ERROR);
    }
    assertThat(Versions.hadoop(Optional.of("3.4.3")).level()).isEqualTo(Finding.Level.OK);
    assertThat(Versions.hadoop(Optional.of("3.5.0")).level()).isEqualTo(Finding.Level.WARNING);
    assertThat(Versions.hadoop(Optional.of("3.3.6")).text())
        .contains("the SSD cache stays off, it needs 3.4.0");
  }

  @Test
  void whatKeepsTasksOutOfEnginesIsNamed() throws IOException {
    site(
        "mapred-site.xml",
        property("mapreduce.map.java.opts", "-Xmx800m -javaagent:/opt/agent.jar")
            + property("mapreduce.application.framework.path", "hdfs:/mr.tar.gz")
            + property("mapreduce.job.map.output.collector.class", "com.example.Mine"));
    List<Finding> findings = examine();
    assertThat(Doctor.isFit(findings)).isTrue();
    assertThat(findings)
        .filteredOn(finding -> finding.level() == Finding.Level.WARNING)
        .extracting(Finding::id)
        .contains("java-opts", "falls-back", "collector");
  }

  @Test
  void versionsOfJavaAreRead() throws IOException {
    Path java = Files.createDirectories(folder.resolve("java"));
    Files.writeString(java.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.9\"\n");
    assertThat(new JavaHome(java).feature()).contains(17);
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"1.8.0_392\"\n");
    assertThat(new JavaHome(java).feature()).contains(8);
  }

  @Test
  void enginesHaveAJavaOfTheirOwnWhereDaemonsAreOnJava11() throws IOException {
    JavaHome eight = java("1.8.0_392");
    JavaHome eleven = java("11.0.13");
    JavaHome seventeen = java("17.0.9");
    assertThat(java(eleven, Optional.of(seventeen), Finding.Level.OK))
        .contains("Java 11 in " + eleven.folder() + " for the NodeManager")
        .contains("Java 17 in " + seventeen.folder() + " for engines");
    assertThat(java(seventeen, Optional.empty(), Finding.Level.OK)).doesNotContain("for engines");
    assertThat(java(eleven, Optional.empty(), Finding.Level.ERROR))
        .contains("engines need Java 17");
    assertThat(java(eleven, Optional.of(eight), Finding.Level.ERROR)).contains("engines need");
    assertThat(java(eight, Optional.of(seventeen), Finding.Level.ERROR))
        .contains("the jars need Java 11");
    assertThat(java(eleven, Optional.of(java("25")), Finding.Level.WARNING))
        .contains("Hadoop before 3.5");
  }

  private static String java(JavaHome daemons, Optional<JavaHome> engines, Finding.Level level)
      throws IOException {
    Finding finding = Versions.java(daemons, engines);
    assertThat(finding.level()).as(finding.text()).isEqualTo(level);
    return finding.text();
  }

  @Test
  void anAdministratorsChoiceGoesBeforeThisTools() throws IOException {
    Optional<Path> daemons = Optional.of(java("11.0.13").folder());
    Path site = Files.writeString(folder.resolve("site.xml"), "<configuration/>");
    SiteConfig nothing = SiteConfig.read(List.of(site), Variables.ofThisTool());
    assertThat(JavaHome.ofEngines(daemons, nothing)).contains(JavaHome.ofThisTool());
    assertThat(JavaHome.ofEngines(Optional.of(java("17.0.9").folder()), nothing)).isEmpty();
    assertThat(JavaHome.ofEngines(Optional.empty(), nothing)).isEmpty();
    Files.writeString(
        site,
        "<configuration><property><name>mammoth.engine.java-home</name><value></value></property>"
            + "</configuration>");
    assertThat(JavaHome.chosenIn(SiteConfig.read(List.of(site), Variables.ofThisTool()))).isEmpty();
    Files.writeString(
        site,
        "<configuration><property><name>mammoth.engine.java-home</name><value>/opt/java21</value>"
            + "</property></configuration>");
    assertThat(JavaHome.ofEngines(daemons, SiteConfig.read(List.of(site), Variables.ofThisTool())))
        .contains(new JavaHome("/opt/java21"));
  }

  private JavaHome java(String version) throws IOException {
    Path java = Files.createDirectories(folder.resolve("java-" + version));
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return new JavaHome(java);
  }
}
