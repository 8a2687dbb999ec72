// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.SiteConfig;

/**
 * Whether Apache's setuid {@code container-executor} is set up as it wants to be before it does
 * anything: owner, group and mode of itself, of its configuration, and of the folders above that
 * (what {@code container-executor.c} of Hadoop 3.4 looks at). It says the same by itself, but only
 * when a NodeManager starts, and of one thing at a time.
 */
final class LinuxExecutor {

  static final String ID = "linux-container-executor";

  private static final String EXECUTOR = "yarn.nodemanager.container-executor.class";
  private static final String BINARY = "yarn.nodemanager.linux-container-executor.path";
  private static final String GROUP = "yarn.nodemanager.linux-container-executor.group";
  private static final int OFTEN_FIRST_USER = 1000;

  private final List<Finding> found = new ArrayList<>();
  private final String group;
  private final Path mounts;

  private LinuxExecutor(String group, Path mounts) {
    this.group = group;
    this.mounts = mounts;
  }

  /** Nothing on a node whose containers run as the NodeManager's user. */
  static List<Finding> check(HadoopTree tree, SiteConfig node) {
    return check(tree, node, Path.of("/proc/self/mounts"));
  }

  static List<Finding> check(HadoopTree tree, SiteConfig node, Path mounts) {
    if (!node.get(EXECUTOR, "").endsWith("LinuxContainerExecutor")) {
      return List.of();
    }
    LinuxExecutor check = new LinuxExecutor(node.get(GROUP, ""), mounts);
    if (check.group.isEmpty()) {
      check.error(
          GROUP + " is not set in yarn-site.xml",
          "name the NodeManager's group there and in container-executor.cfg");
    }
    Path binary =
        Path.of(node.get(BINARY, tree.home().resolve("bin/container-executor").toString()));
    try {
      check.binary(binary);
      check.configuration(binary.toRealPath());
    } catch (IOException e) {
      check.error(
          binary + " cannot be looked at: " + e.getClass().getSimpleName(),
          "put Apache's container-executor there, or name it with "
              + BINARY
              + "; the release has none, Apache's own release of the same version does");
    }
    if (check.found.isEmpty()) {
      check.found.add(Finding.ok(ID, binary + " is set up as it wants to be"));
    }
    return check.found;
  }

  private void error(String text, String remedy) {
    found.add(Finding.error(ID, text, remedy));
  }

  private void binary(Path binary) throws IOException {
    FileRights rights = FileRights.of(binary);
    if (!rights.isRoots()
        || !rights.isSetuid()
        || !rights.isRunByItsGroup()
        || rights.isOpenToOthers()) {
      error(
          rights + " must be root's, setuid, run by its group and closed to others",
          "chown root:" + groupOr("GROUP") + " " + binary + "; chmod 6050 " + binary);
    }
    if (!group.isEmpty() && !rights.group().equals(group)) {
      error(
          binary + " is of the group " + rights.group() + ", and " + GROUP + " is " + group,
          "chgrp " + group + " " + binary + "; chmod 6050 " + binary);
    }
    if (List.of(mountOptions(binary.toRealPath()).split(",")).contains("nosuid")) {
      error(
          binary + " is on a file system that is mounted nosuid: it would run as its caller",
          "mount that without nosuid, or name a place elsewhere with " + BINARY);
    }
  }

  private String groupOr(String unknown) {
    return group.isEmpty() ? unknown : group;
  }

  /** The options of the mount that a file is on: of the longest mount point above it. */
  private String mountOptions(Path file) throws IOException {
    String options = "";
    int depth = -1;
    for (String line : Files.readAllLines(mounts)) {
      String[] fields = line.split(" ");
      Path point = Path.of(fields[1].replace("\\040", " "));
      // The last of several on one point is on top.
      if (file.startsWith(point) && point.getNameCount() >= depth) {
        depth = point.getNameCount();
        options = fields[3];
      }
    }
    return options;
  }

  private void configuration(Path binary) {
    Path file = binary.getParent().resolve("../etc/hadoop/container-executor.cfg").normalize();
    try {
      for (Path path = file; path != null; path = path.getParent()) {
        FileRights rights = FileRights.of(path);
        if (!rights.isOnlyRootsToChange()) {
          error(
              rights + " must be root's and written by nobody else, as all folders above it",
              "chown root " + path + "; chmod go-w " + path);
        }
      }
      if (Files.isReadable(file)) {
        settings(file);
      } else {
        found.add(Finding.warning(ID, file + " cannot be read by this user", "run this as root"));
      }
    } catch (IOException e) {
      error(
          file + " cannot be looked at: " + e.getClass().getSimpleName(),
          "write it as root: " + GROUP + ", banned.users and min.user.id, a line each");
    }
  }

  private void settings(Path file) throws IOException {
    Properties settings = new Properties();
    try (var in = Files.newInputStream(file)) {
      settings.load(in);
    }
    String there = settings.getProperty(GROUP, "").trim();
    if (!there.equals(group)) {
      error(
          GROUP + " is '" + there + "' in " + file + " and '" + group + "' in yarn-site.xml",
          "write the same group in both");
    }
    String least = settings.getProperty("min.user.id", "" + OFTEN_FIRST_USER).trim();
    if (least.matches("\\d{1,9}") && Integer.parseInt(least) < OFTEN_FIRST_USER) {
      found.add(
          Finding.warning(
              ID,
              "min.user.id is " + least + " in " + file + ": users of the system can run tasks",
              "set it to " + OFTEN_FIRST_USER + ", or see that banned.users names them"));
    }
  }
}
