// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.Release;

/** The steps of a run that concern files. Each {@code to...} says what its action would do now. */
final class AddedFiles {

  /** Told of a folder outside our own before it is made. */
  interface Made {
    void folder(String path) throws IOException;
  }

  private final HadoopTree tree;
  private final Layout layout;
  private final Disk disk;
  private final EnginesJava enginesJava;

  /** The Java that engines need beside the NodeManager's. */
  interface EnginesJava {
    Optional<Path> find() throws IOException;
  }

  AddedFiles(HadoopTree tree, Layout layout, Disk disk, EnginesJava enginesJava) {
    this.enginesJava = enginesJava;
    this.tree = tree;
    this.layout = layout;
    this.disk = disk;
  }

  private Path overlayOf(String id) {
    return layout.version(id).resolve("conf/yarn-site.xml");
  }

  private Path versionOf(String id) {
    return layout.version(id).resolve("hadoop");
  }

  private String overlay() throws IOException {
    return Overlay.text(tree.conf().resolve("yarn-site.xml"), overlayKeys());
  }

  private Map<String, String> overlayKeys() throws IOException {
    return Overlay.keys(enginesJava.find());
  }

  private Path confOf(String id) {
    return layout.version(id).resolve("for-conf");
  }

  /** The folder whose yarn-site.xml is included: a NodeManager with another one is to be stock. */
  private String conf() {
    return tree.conf() + "\n";
  }

  private String hadoop() throws IOException {
    return tree.version().orElse("unknown") + "\n";
  }

  List<String> toCopy(Release release) throws IOException {
    List<String> changes = new ArrayList<>();
    Path folder = layout.version(release.id());
    if (!Files.isDirectory(folder)) {
      changes.add(
          release.jars().size()
              + " jars, "
              + (release.bytes() >> 10)
              + " KiB, to "
              + folder.resolve("jars"));
    }
    if (!holds(overlayOf(release.id()), overlay())) {
      changes.add(
          "write "
              + overlayOf(release.id())
              + ", which includes "
              + tree.conf().resolve("yarn-site.xml")
              + " and sets behind it:");
      overlayKeys().forEach((key, value) -> changes.add("  " + key + " = " + value));
    }
    if (!holds(confOf(release.id()), conf())) {
      changes.add("note that it is for NodeManagers with the configuration " + tree.conf());
    }
    if (!holds(versionOf(release.id()), hadoop())) {
      changes.add("note that it is for Hadoop " + hadoop().trim());
    }
    return changes;
  }

  /** A release's folder gets its name when it is complete. */
  void copy(Release release) throws IOException {
    Path folder = layout.version(release.id());
    disk.makeFolder(layout.versions());
    if (Files.isDirectory(folder)) {
      disk.write(overlayOf(release.id()), overlay());
      disk.write(confOf(release.id()), conf());
      disk.write(versionOf(release.id()), hadoop());
      return;
    }
    Path incoming = layout.versions().resolve("." + release.id() + ".new");
    disk.removeAll(incoming);
    try {
      disk.makeFolder(incoming);
      disk.makeFolder(incoming.resolve("jars"));
      disk.makeFolder(incoming.resolve("conf"));
      for (Path jar : release.jars()) {
        disk.copy(jar, incoming.resolve("jars").resolve(jar.getFileName()));
      }
      disk.write(incoming.resolve("conf/yarn-site.xml"), overlay());
      disk.write(incoming.resolve("for-conf"), conf());
      disk.write(incoming.resolve("hadoop"), hadoop());
      disk.rename(incoming, folder);
    } catch (IOException e) {
      disk.removeAll(incoming);
      throw new StepFailedException(
          "the release cannot be copied to " + folder + ": " + reason(e) + ". Nothing is changed");
    }
  }

  /** Exceptions of files often have the name of the file for a message. */
  static String reason(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains(" ") ? message : e.getClass().getSimpleName() + " " + message;
  }

  List<String> toProfile(Release release) throws IOException {
    return holds(layout.profile(), Files.readString(release.profile()))
        ? List.of()
        : List.of("write " + layout.profile() + ", which does nothing until the switch");
  }

  void writeProfile(Release release, Made made) throws IOException {
    for (Path folder : List.of(layout.profiles().getParent(), layout.profiles())) {
      if (!Files.isDirectory(folder)) {
        made.folder(folder.toString());
        disk.makeFolder(folder);
      }
    }
    disk.write(layout.profile(), Files.readString(release.profile()));
  }

  List<String> toSwitch(String id) throws IOException {
    return layout.currentId().equals(Optional.of(id))
        ? List.of()
        : List.of(
            layout.current()
                + " to versions/"
                + id
                + layout.currentId().map(old -> " from versions/" + old).orElse(""));
  }

  void switchTo(String id) throws IOException {
    disk.link(layout.current(), Path.of("versions", id));
  }

  List<String> toSwitchOff() {
    return Files.isSymbolicLink(layout.current())
        ? List.of("remove the link " + layout.current() + ": daemons start stock from now on")
        : List.of();
  }

  void switchOff() throws IOException {
    disk.remove(layout.current());
  }

  List<String> toTidy(String id) throws IOException {
    return layout.versionIds().stream()
        .filter(other -> !other.equals(id))
        .map(other -> "remove " + layout.version(other))
        .toList();
  }

  void removeVersionsBut(String id) throws IOException {
    for (String other : layout.versionIds()) {
      if (!other.equals(id)) {
        disk.removeAll(layout.version(other));
      }
    }
  }

  List<String> toClean() throws IOException {
    List<String> changes = new ArrayList<>();
    if (layout.hasOwnProfile()) {
      changes.add("remove " + layout.profile());
    }
    changes.add("remove what engines left in local directories and logs");
    changes.add("remove " + layout.own());
    return changes;
  }

  /** All but journal and lock, which the run still needs. */
  void clean() throws IOException {
    if (layout.hasOwnProfile()) {
      disk.remove(layout.profile());
    }
    disk.removeAll(layout.profiles().resolve(".mammoth.sh.new"));
    disk.removeAll(layout.versions());
    disk.remove(layout.own().resolve(".current.new"));
  }

  private static boolean holds(Path file, String text) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Files.readString(file).equals(text);
  }
}
