// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mammoth.upgrade.tree.HadoopTree;

/**
 * Where things of ours lie in a Hadoop installation:
 *
 * <pre>
 *   HADOOP_HOME/mammoth/versions/ID/       jars/, conf/yarn-site.xml, hadoop and for-conf (the
 *                                          version and the configuration that it is for)
 *   HADOOP_HOME/mammoth/current            a link to one of them: what daemons start with
 *   HADOOP_HOME/mammoth/journal            what was done, a JSON object a line
 *   HADOOP_HOME/mammoth/host               whose installation it is
 *   HADOOP_HOME/libexec/shellprofile.d/mammoth.sh
 * </pre>
 *
 * @param home of Hadoop
 */
public record Layout(Path home) {

  /** Where a tree has them. */
  public static Layout of(HadoopTree tree) {
    return new Layout(tree.home());
  }

  /** The folder that holds all of ours but the profile. */
  public Path own() {
    return home.resolve("mammoth");
  }

  public Path versions() {
    return own().resolve("versions");
  }

  /** A release's folder; complete if it is there. */
  public Path version(String id) {
    return versions().resolve(id);
  }

  public Path current() {
    return own().resolve("current");
  }

  public Path journal() {
    return own().resolve("journal");
  }

  /** Has the name of the host on which ours was added. */
  public Path host() {
    return own().resolve("host");
  }

  public Path lock() {
    return own().resolve("lock");
  }

  /** Output of the commands that restart the NodeManager. */
  public Path restartLog() {
    return own().resolve("restart.log");
  }

  /** Held by the commands that restart the NodeManager, for as long as they take. */
  public Path restartLock() {
    return own().resolve("restart.lock");
  }

  public Path profiles() {
    return home.resolve("libexec/shellprofile.d");
  }

  public Path profile() {
    return profiles().resolve("mammoth.sh");
  }

  /** Whether the profile is this command's, not one of an add-on that was unpacked by hand. */
  public boolean hasOwnProfile() throws IOException {
    return Files.isRegularFile(profile(), LinkOption.NOFOLLOW_LINKS)
        && new String(Files.readAllBytes(profile()), StandardCharsets.UTF_8)
            .contains("Written by mammoth-upgrade");
  }

  /** Whether an add-on was unpacked over the installation, which this command leaves alone. */
  public boolean isAddedByHand() {
    return Files.isDirectory(addedByHand());
  }

  /** What the README of earlier releases had administrators unpack over their installation. */
  public Path addedByHand() {
    return home.resolve("share/hadoop/mammoth");
  }

  /** Which release daemons start with; empty for none. */
  public Optional<String> currentId() throws IOException {
    if (!Files.isSymbolicLink(current())) {
      return Optional.empty();
    }
    return Optional.of(Files.readSymbolicLink(current()).getFileName().toString());
  }

  /** The releases that lie here, sorted; unfinished copies are not among them. */
  public List<String> versionIds() throws IOException {
    if (!Files.isDirectory(versions())) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(versions())) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .sorted()
          .toList();
    }
  }

  /** Which release's jars are on a class path; empty for none. */
  public Optional<String> idOnClassPath(String classPath) {
    String begin = versions() + "/";
    int at = classPath.indexOf(begin);
    if (at < 0) {
      return Optional.empty();
    }
    String rest = classPath.substring(at + begin.length());
    int end = rest.indexOf('/');
    return end < 0 ? Optional.empty() : Optional.of(rest.substring(0, end));
  }
}
