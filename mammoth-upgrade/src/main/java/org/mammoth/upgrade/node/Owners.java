// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.JavaProcess;
import org.mammoth.upgrade.tree.SiteConfig;
import org.mammoth.upgrade.tree.Variables;

/**
 * Whose the NodeManager of an installation can be, as the installation itself tells: anybody can
 * start a process that has its words. Immutable; any thread.
 */
final class Owners {

  private static final String ROOT = "root";

  /** Users of the system, whom no person can become, have smaller ids. */
  private static final int FIRST_OF_PEOPLE = 1_000;

  private static final Variables NONE =
      new Variables() {
        @Override
        public String property(String name) {
          return null;
        }

        @Override
        public String environment(String name) {
          return null;
        }
      };

  private final Path home;

  /**
   * @param home of Hadoop
   */
  Owners(Path home) {
    this.home = home;
  }

  /** Whether this tool acts for others at all: only root can. */
  static boolean isRoot() {
    return System.getProperty(Variables.USER).equals(ROOT);
  }

  /** Whether a process can be the NodeManager, whatever its own environment says. */
  boolean mayBe(JavaProcess process, Path conf) throws IOException {
    return !isRoot() || isOfSystem(process) || mayBe(process.owner(), conf);
  }

  private static boolean isOfSystem(JavaProcess process) {
    try {
      return (int) Files.getAttribute(Path.of("/proc/" + process.pid()), "unix:uid")
          < FIRST_OF_PEOPLE;
    } catch (IOException gone) {
      return false;
    }
  }

  /**
   * Whether a user owns the installation, the newest log of a NodeManager in it, or a local
   * directory. Only where root owns the installation it is root.
   *
   * @param conf folder of the configuration, which has to be the administrator's
   */
  boolean mayBe(String user, Path conf) throws IOException {
    String owner = owner(home);
    if (user.equals(owner)) {
      return true;
    }
    return !user.equals(ROOT)
        && (newestLog(home.resolve("logs")).filter(user::equals).isPresent()
            || localDirs(conf).anyMatch(dir -> Files.isDirectory(dir) && owner(dir).equals(user)));
  }

  /** Whether a folder of configuration is root's or the owner's of the installation. */
  boolean isAdministrators(Path conf) {
    String user = owner(conf);
    return !isRoot() || user.equals(ROOT) || user.equals(owner(home));
  }

  /** Those that are named without variables, which the process itself would set. */
  private static Stream<Path> localDirs(Path conf) throws IOException {
    SiteConfig site = SiteConfig.read(List.of(conf.resolve("yarn-site.xml")), NONE);
    return HadoopTree.localDirs(site).stream().filter(dir -> !dir.toString().contains("${"));
  }

  /** Whose NodeManager wrote the newest log of a folder. */
  static Optional<String> newestLog(Path logs) throws IOException {
    if (!Files.isDirectory(logs)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(logs)) {
      return files
          .filter(file -> file.getFileName().toString().matches(".*-nodemanager-.*\\.(log|out)"))
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
          .map(Owners::owner);
    }
  }

  /** The name of a file's owner, links not followed below a folder; empty if it is not there. */
  static String owner(Path path) {
    try {
      return Files.isDirectory(path)
          ? Files.getOwner(path).getName()
          : Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
    } catch (IOException gone) {
      return "";
    }
  }
}
