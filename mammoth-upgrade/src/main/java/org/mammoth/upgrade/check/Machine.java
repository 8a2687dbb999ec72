// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mammoth.config.names.KeyNames;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.SiteConfig;

/** What the machine has: room, ports, libraries, rights. */
final class Machine {

  private static final String PORT_KEY = KeyNames.SHUFFLE_PORT;
  private static final int PORT = 13_563;
  private static final int LARGEST_PORT = 65_535;
  private static final long SPARE_BYTES = 64L << 20;
  private static final double FULL = 0.9;

  private Machine() {}

  static List<Finding> check(Facts facts) throws IOException {
    List<Finding> found = new ArrayList<>();
    found.add(home(facts));
    addedByHand(facts).ifPresent(found::add);
    found.addAll(localDirs(facts.node()));
    found.add(port(facts));
    found.add(nativeLibrary(facts));
    facts.service().map(Service::finding).ifPresent(found::add);
    facts.obstacle().map(Machine::health).ifPresent(found::add);
    if (facts.nodeManager().isEmpty()) {
      found.add(
          Finding.warning(
              "nodemanager",
              "no NodeManager of " + facts.tree().home() + " runs here",
              "Mammoth can be added; it begins when the NodeManager is started"));
    }
    return found;
  }

  private static Finding home(Facts facts) throws IOException {
    Path home = facts.tree().home();
    String id = "hadoop-home";
    if (!Files.isWritable(home)) {
      return Finding.error(
          id,
          home + " cannot be written by " + System.getProperty("user.name"),
          "run this as the owner of " + home + " or as root");
    }
    Path profiles = facts.layout().profiles();
    Path there = Files.isDirectory(profiles) ? profiles : profiles.getParent();
    if (Files.exists(there) && !Files.isWritable(there)) {
      return Finding.error(id, there + " cannot be written", "run this as its owner or as root");
    }
    FileStore store = Files.getFileStore(home);
    if (isOfNetwork(store.type())) {
      return Finding.error(
          id,
          home + " is a network folder: what is added for one host would be there for all",
          "add Mammoth to installations on the hosts' own disks");
    }
    long free = store.getUsableSpace();
    long needed = facts.release().bytes() + SPARE_BYTES;
    if (free < needed) {
      return Finding.error(
          id,
          home + " has " + (free >> 20) + " MiB left; " + (needed >> 20) + " MiB are needed",
          "make room there");
    }
    return Finding.ok(id, home + " can be written");
  }

  private static Optional<Finding> addedByHand(Facts facts) {
    Path folder = facts.layout().addedByHand();
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.error(
            "added-by-hand",
            folder + " is there: an add-on was unpacked over the installation",
            "on hosts with a DataNode or a NameNode first take dfs.datanode.fsdataset.factory,"
                + " dfs.namenode.plugins and dfs.namenode.audit.loggers out of hdfs-site.xml where"
                + " they name org.mammoth, and restart those daemons, which would not start without"
                + " the jars; then remove the folder and libexec/shellprofile.d/mammoth.sh,"
                + " restart the NodeManager, and check again. With the SSD cache leave it as it is:"
                + " docs/install.md"));
  }

  /** After a restart nobody could tell whether it went well. */
  private static Finding health(String obstacle) {
    return Finding.error(
        "health",
        "the NodeManager is not well, or cannot be asked here: " + obstacle,
        "mend it, or have its page and the ResourceManager's answer this host without"
            + " authentication: yarn.nodemanager.webapp.address,"
            + " yarn.resourcemanager.webapp.address (https.address with HTTPS_ONLY) in this host's"
            + " yarn-site.xml, and firewalls");
  }

  /** A folder that other hosts may have as well. */
  static boolean isOfNetwork(String type) {
    return type.matches(
        "(nfs|lustre|gpfs|ceph|beegfs|glusterfs|cifs|smb|9p|afs|orangefs|pvfs|panfs|fuse\\.).*");
  }

  static List<Finding> localDirs(SiteConfig node) {
    List<Finding> found = new ArrayList<>();
    for (Path dir : HadoopTree.localDirs(node)) {
      try {
        FileStore store = Files.getFileStore(dir);
        double used = 1 - (double) store.getUsableSpace() / store.getTotalSpace();
        String text = dir + ": " + (store.getUsableSpace() >> 30) + " GiB free on " + kind(store);
        found.add(
            used < FULL
                ? Finding.ok("local-dir", text)
                : Finding.warning(
                    "local-dir",
                    text + ", " + Math.round(used * 100) + " % full: YARN leaves it out soon",
                    "make room there"));
      } catch (NoSuchFileException e) {
        found.add(
            Finding.ok(
                "local-dir", dir + " is not there yet: the NodeManager makes it at a start"));
      } catch (IOException e) {
        found.add(
            Finding.warning(
                "local-dir",
                dir + " cannot be looked at: " + e.getClass().getSimpleName(),
                "mend it, or take it out of yarn.nodemanager.local-dirs"));
      }
    }
    return found;
  }

  /** What the kernel says of a file system's disk. */
  private static String kind(FileStore store) {
    String device = Path.of(store.name()).getFileName() == null ? "" : store.name();
    Path block = Path.of("/sys/class/block", Path.of(device).getFileName() + "");
    try {
      Path real = block.toRealPath();
      Path rotational = real.resolve("queue/rotational");
      if (!Files.exists(rotational)) {
        rotational = real.getParent().resolve("queue/rotational");
      }
      return Files.readString(rotational).trim().equals("1")
          ? "a disk that spins"
          : "a disk that does not spin";
    } catch (IOException unknown) {
      return "a disk of unknown kind (" + store.type() + ")";
    }
  }

  private static Finding port(Facts facts) {
    String id = "shuffle-port";
    String told = facts.node().get(PORT_KEY, String.valueOf(PORT));
    if (!told.matches("\\d{1,5}") || Integer.parseInt(told) > LARGEST_PORT) {
      return Finding.error(
          id,
          PORT_KEY + " is '" + told + "', which is no port",
          "set it in yarn-site.xml, the same on all nodes, or remove it");
    }
    int port = Integer.parseInt(told);
    boolean ours =
        facts
            .nodeManager()
            .flatMap(
                process ->
                    facts
                        .layout()
                        .idOnClassPath(process.environment().getOrDefault("CLASSPATH", "")))
            .isPresent();
    if (ours || port == 0) {
      return Finding.ok(id, "port " + port);
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(port));
      return Finding.ok(id, "port " + port + " is free");
    } catch (BindException taken) {
      return Finding.error(
          id,
          "port " + port + " is taken, on which other nodes ask for map output",
          "free it, or set " + PORT_KEY + " in yarn-site.xml, the same on all nodes");
    } catch (IOException e) {
      return Finding.warning(id, "port " + port + " cannot be tried: " + e.getMessage(), "");
    }
  }

  private static Finding nativeLibrary(Facts facts) {
    Path library = facts.tree().home().resolve("lib/native/libhadoop.so");
    return Finding.ok(
        "native-library",
        Files.exists(library)
            ? "Hadoop's native library is there"
            : "no native library of Hadoop's: nothing of Mammoth needs one");
  }
}
