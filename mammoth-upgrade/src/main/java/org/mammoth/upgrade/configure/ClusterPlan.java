// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.configure;

import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A cluster as an administrator thinks of it. Every host has the same disks. Immutable.
 *
 * @param master the host of NameNode, ResourceManager and history server
 * @param workers the hosts of DataNodes and NodeManagers, in order; the master may be one
 * @param disks a folder on each disk, the first not on an SSD that is also the cache's
 * @param ssd what the SSD cache may have, as {@code /ssd0/mpcache=80g}; empty for no cache
 * @param javaHome what {@code JAVA_HOME} is on the hosts; empty to leave that as it is
 */
public record ClusterPlan(
    String master, List<String> workers, List<String> disks, String ssd, String javaHome) {

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");
  private static final Pattern FOLDER = Pattern.compile("/[^\\s,=<>&\"']+");
  private static final Pattern SSD = Pattern.compile("(/[^\\s,=<>&\"']+)=\\d+[kmgtKMGT]?");
  private static final int REPLICAS = 3;

  /**
   * Checks all of it.
   *
   * @throws IllegalArgumentException says which part is no host, folder or size, and what is wanted
   */
  public ClusterPlan {
    host(master, "the master");
    if (workers.isEmpty()) {
      throw new IllegalArgumentException("a cluster has workers: name at least one");
    }
    for (String worker : workers) {
      host(worker, "a worker");
    }
    if (disks.isEmpty()) {
      throw new IllegalArgumentException(
          "name a folder on at least one disk, such as /data1/hadoop");
    }
    for (String disk : disks) {
      folder(disk, "a disk's folder");
    }
    once(workers, "workers");
    once(disks, "disks");
    if (!ssd.isEmpty() && !SSD.matcher(ssd).matches()) {
      throw new IllegalArgumentException(
          "'" + ssd + "' is no SSD folder with a size, as /ssd0/mpcache=80g");
    }
    if (!javaHome.isEmpty()) {
      folder(javaHome, "JAVA_HOME");
    }
    workers = List.copyOf(workers);
    disks = List.copyOf(disks);
  }

  private static void host(String name, String what) {
    if (!HOST.matcher(name).matches()) {
      throw new IllegalArgumentException("'" + name + "' is no host name for " + what);
    }
    if (name.equals("localhost") || name.startsWith("127.")) {
      throw new IllegalArgumentException(
          what
              + " is '"
              + name
              + "': other hosts would look for it on themselves; name it as"
              + " they do");
    }
  }

  private static void folder(String path, String what) {
    if (!FOLDER.matcher(path).matches()) {
      throw new IllegalArgumentException(
          "'" + path + "' cannot be " + what + ": an absolute path without blanks is wanted");
    }
  }

  private static void once(List<String> names, String what) {
    if (new HashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException(
          "one of the " + what + " is named twice: " + String.join(", ", names));
    }
  }

  /** How many copies of a block the workers can hold, at most upstream's three. */
  public int replication() {
    return Math.min(REPLICAS, workers.size());
  }

  boolean hasSsdCache() {
    return !ssd.isEmpty();
  }

  /** The SSD cache's folder without its size. */
  String ssdFolder() {
    return ssd.substring(0, ssd.indexOf('='));
  }

  /** A folder of this name on each disk. */
  List<String> onEachDisk(String name) {
    return disks.stream().map(disk -> disk + "/" + name).toList();
  }
}
