// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.Variables;

/**
 * The set-up of a {@code container-executor}, and one thing after the other wrong with it. Needs
 * root, who alone can give a file away. That Apache's binary judges alike is shown with the binary,
 * in dev-support/secured.
 */
class LinuxExecutorTest {

  private static final String GROUP_KEY = "yarn.nodemanager.linux-container-executor.group";
  private static final String OURS =
      "org.mammoth.mapreduce.nodemanager.MammothLinuxContainerExecutor";

  @TempDir Path home;

  /** Folders above must be root's, which those for temporary files are not. */
  private Path placed;

  private Path binary;
  private Path settings;

  @BeforeEach
  void place() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "root alone can give files away");
    placed = Files.createTempDirectory(Path.of("/var/lib"), "container-executor");
    binary = placed.resolve("bin/container-executor");
    settings = placed.resolve("etc/hadoop/container-executor.cfg");
    Files.createDirectories(binary.getParent());
    Files.createDirectories(settings.getParent());
    Files.writeString(binary, "");
    Files.writeString(settings, GROUP_KEY + "=daemon\nmin.user.id=1000\nbanned.users=bin\n");
    give(binary, 0, "daemon", 06050);
    give(settings, 0, "daemon", 0400);
    for (Path folder : List.of(placed, binary.getParent(), settings.getParent())) {
      give(folder, 0, "root", 0755);
    }
    Files.createDirectories(home.resolve("share/hadoop/common"));
    Files.createDirectories(home.resolve("etc/hadoop"));
    site(OURS, "daemon");
  }

  @AfterEach
  void remove() throws IOException {
    if (placed != null) {
      try (var files = Files.walk(placed)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void give(Path path, int owner, String group, int mode) throws IOException {
    Files.setAttribute(path, "unix:uid", owner);
    var groups = path.getFileSystem().getUserPrincipalLookupService();
    Files.setAttribute(path, "posix:group", groups.lookupPrincipalByGroupName(group));
    Files.setAttribute(path, "unix:mode", mode);
  }

  private void site(String executor, String group, String... more) throws IOException {
    Files.writeString(
        home.resolve("etc/hadoop/yarn-site.xml"),
        "<configuration>"
            + property("yarn.nodemanager.container-executor.class", executor)
            + property("yarn.nodemanager.linux-container-executor.path", binary.toString())
            + property(GROUP_KEY, group)
            + String.join("", more)
            + "</configuration>");
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  private List<Finding> installed() throws IOException {
    HadoopTree tree = HadoopTree.at(home, null);
    return InstalledNode.examine(
        tree, tree.nodeManagerConfig(Variables.ofThisTool()), Optional.empty());
  }

  private List<Finding> look(Path mounts) throws IOException {
    HadoopTree tree = HadoopTree.at(home, null);
    return LinuxExecutor.check(tree, tree.nodeManagerConfig(Variables.ofThisTool()), mounts);
  }

  private void assertFound(Finding.Level level, String text) throws IOException {
    assertThat(look(Path.of("/proc/self/mounts")))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.text()).contains(text);
              assertThat(finding.level()).isEqualTo(level);
            });
  }

  @Test
  void asItShouldBeItIsFit() throws IOException {
    assertFound(Finding.Level.OK, "set up as it wants");
    site("org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor", "daemon");
    assertFound(Finding.Level.OK, "set up as it wants");
  }

  @Test
  void whereContainersRunAsTheNodeManagersUserNobodyLooks() throws IOException {
    site("org.mammoth.mapreduce.nodemanager.MammothContainerExecutor", "");
    assertThat(look(Path.of("/nowhere"))).isEmpty();
  }

  @Test
  void ownerModeAndGroupAreJudged() throws IOException {
    give(binary, 1, "daemon", 06050);
    assertFound(Finding.Level.ERROR, "owner 1, group daemon, mode 6050");
    give(binary, 0, "daemon", 0750);
    assertFound(Finding.Level.ERROR, "must be root's, setuid");
    give(binary, 0, "daemon", 06040);
    assertFound(Finding.Level.ERROR, "run by its group");
    give(binary, 0, "daemon", 06055);
    assertFound(Finding.Level.ERROR, "closed to others");
    give(binary, 0, "bin", 06050);
    assertFound(Finding.Level.ERROR, "is of the group bin");
  }

  @Test
  void aFolderThatOthersCanWriteIsNamed() throws IOException {
    give(settings.getParent().getParent(), 0, "root", 0775);
    assertFound(Finding.Level.ERROR, settings.getParent().getParent() + " (owner 0");
    give(settings.getParent().getParent(), 0, "root", 0755);
    give(settings, 1, "daemon", 0400);
    assertFound(Finding.Level.ERROR, "container-executor.cfg (owner 1");
  }

  @Test
  void bothFilesNameTheSameGroup() throws IOException {
    Files.writeString(settings, GROUP_KEY + "=bin\n");
    assertFound(Finding.Level.ERROR, "is 'bin' in");
    Files.writeString(settings, GROUP_KEY + "=daemon\nmin.user.id=1\n");
    assertFound(Finding.Level.WARNING, "min.user.id is 1");
  }

  @Test
  void aBinaryThatIsNotThereIsNamedWithTheKey() throws IOException {
    Files.delete(binary);
    assertFound(Finding.Level.ERROR, binary + " cannot be looked at");
    Files.writeString(binary, "");
    give(binary, 0, "daemon", 06050);
    Files.delete(settings);
    assertFound(Finding.Level.ERROR, settings + " cannot be looked at");
  }

  @Test
  void aMountWithoutSetuidIsSeen() throws IOException {
    Path mounts = home.resolve("mounts");
    Files.writeString(
        mounts,
        "/dev/a / ext4 rw,relatime 0 0\n/dev/b " + placed + "/bin ext4 rw,nosuid,nodev 0 0\n");
    assertThat(look(mounts)).extracting(Finding::text).anyMatch(text -> text.contains("nosuid"));
    Files.writeString(
        mounts, "/dev/a / ext4 rw,nosuid 0 0\n/dev/b " + placed + "/bin ext4 rw,relatime 0 0\n");
    assertThat(look(mounts)).extracting(Finding::level).containsOnly(Finding.Level.OK);
  }

  @Test
  void whatANodeOfTheReleaseLacksIsSaid() throws IOException {
    String groups = property("yarn.nodemanager.resource.cpu.enabled", "true");
    site(OURS, "daemon", groups);
    List<Finding> found = installed();
    assertThat(found).extracting(Finding::level).doesNotContain(Finding.Level.ERROR);
    site(OURS, "daemon", groups + property("yarn.nodemanager.resource-plugins", "yarn.io/gpu"));
    found = installed();
    assertThat(found)
        .filteredOn(finding -> finding.level() == Finding.Level.ERROR)
        .extracting(Finding::id)
        .containsExactly("resources");
    site("org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor", "");
    found = installed();
    assertThat(found)
        .filteredOn(finding -> finding.level() == Finding.Level.ERROR)
        .extracting(Finding::id)
        .containsExactly("container-executor");
  }
}
