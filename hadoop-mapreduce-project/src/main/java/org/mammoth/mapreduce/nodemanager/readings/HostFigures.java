// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.mammoth.api.status.HostUse;

/**
 * Reads what the host uses from the files of Linux' {@code /proc}; anywhere else all of it is
 * unknown. Hadoop's {@code SysInfoLinux} knows no interface named {@code enp3s0} and no disk named
 * {@code nvme0n1}, and counts such a host's traffic as 0. Thread-safe.
 */
public final class HostFigures {

  private static final int UNKNOWN = -1;

  /** The kernel counts processor time in hundredths of a second for programs, on any machine. */
  private static final long MS_PER_TICK = 10;

  /** In /proc/diskstats, whatever the disk's own sectors are. */
  private static final long SECTOR = 512;

  private static final Pattern SPACE = Pattern.compile("\\s+");

  /** Block devices that are no disks. */
  private static final Pattern NO_DISK = Pattern.compile("(loop|ram|zram|fd|sr)\\d+");

  private final Path proc;
  private final Path sys;
  private final MBeanServer beans;

  /** Of this host. */
  public HostFigures() {
    this(Path.of("/proc"), Path.of("/sys"), ManagementFactory.getPlatformMBeanServer());
  }

  HostFigures(Path proc, Path sys, MBeanServer beans) {
    this.proc = proc;
    this.sys = sys;
    this.beans = beans;
  }

  /** What the host has and uses now. */
  public HostUse read() {
    List<String> stat = lines("stat");
    List<String> memory = lines("meminfo");
    long[] network = network();
    long[] disks = disks();
    return new HostUse(
        cores(stat),
        cpuMs(stat),
        bytes(memory, "MemTotal:"),
        bytes(memory, "MemAvailable:"),
        network[0],
        network[1],
        (int) disks[0],
        disks[1],
        disks[2],
        disks[3],
        checked("GoodLocalDirsDiskUtilizationPerc"),
        checked("BadLocalDirs"));
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(proc.resolve(file));
    } catch (IOException e) {
      return List.of();
    }
  }

  private static int cores(List<String> stat) {
    long cores = stat.stream().filter(line -> line.matches("cpu\\d+ .*")).count();
    return cores == 0 ? UNKNOWN : (int) cores;
  }

  /** All but idling and waiting for disks; time of guests is within that of users. */
  private static long cpuMs(List<String> stat) {
    for (String line : stat) {
      String[] field = SPACE.split(line);
      if (field[0].equals("cpu") && field.length > 8) {
        long ticks = number(field[1]) + number(field[2]) + number(field[3]);
        return MS_PER_TICK * (ticks + number(field[6]) + number(field[7]) + number(field[8]));
      }
    }
    return UNKNOWN;
  }

  private static long bytes(List<String> memory, String name) {
    for (String line : memory) {
      String[] field = SPACE.split(line);
      if (field[0].equals(name)) {
        return 1024 * number(field[1]);
      }
    }
    return UNKNOWN;
  }

  /**
   * Bytes in and out. Where there are interfaces of hardware, of these alone: what goes over a bond
   * or a bridge goes over them too. A container has none; there it is all but the loopback.
   */
  private long[] network() {
    List<String[]> all = new ArrayList<>();
    for (String line : lines("net/dev")) {
      int colon = line.indexOf(':');
      String[] field = SPACE.split(line.substring(colon + 1).trim());
      if (colon > 0 && field.length > 8 && !line.substring(0, colon).trim().equals("lo")) {
        all.add(new String[] {line.substring(0, colon).trim(), field[0], field[8]});
      }
    }
    List<String[]> counted = hardware(all, name -> sys.resolve("class/net").resolve(name));
    return counted.isEmpty()
        ? new long[] {UNKNOWN, UNKNOWN}
        : new long[] {sum(counted, 1), sum(counted, 2)};
  }

  /** How many disks, bytes read, bytes written, ms busy; of whole disks, not of their parts. */
  private long[] disks() {
    List<String[]> all = new ArrayList<>();
    for (String line : lines("diskstats")) {
      String[] field = SPACE.split(line.trim());
      if (field.length > 12
          && !NO_DISK.matcher(field[2]).matches()
          && Files.isDirectory(sys.resolve("block").resolve(field[2]))) {
        all.add(new String[] {field[2], field[5], field[9], field[12]});
      }
    }
    List<String[]> counted = hardware(all, name -> sys.resolve("block").resolve(name));
    return counted.isEmpty()
        ? new long[] {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}
        : new long[] {
          counted.size(), SECTOR * sum(counted, 1), SECTOR * sum(counted, 2), sum(counted, 3)
        };
  }

  private interface Place {
    Path of(String name);
  }

  private static List<String[]> hardware(List<String[]> all, Place place) {
    Predicate<String[]> real = row -> Files.exists(place.of(row[0]).resolve("device"));
    List<String[]> found = all.stream().filter(real).collect(Collectors.toList());
    return found.isEmpty() ? all : found;
  }

  private static long sum(List<String[]> rows, int column) {
    return rows.stream().mapToLong(row -> number(row[column])).sum();
  }

  /** A count of the kernel's; those of 64 bits may be larger than ours, which nobody reaches. */
  private static long number(String digits) {
    return Long.parseUnsignedLong(digits);
  }

  /** What the NodeManager's own check of disks found. */
  private int checked(String attribute) {
    try {
      Object value =
          beans.getAttribute(
              new ObjectName("Hadoop:service=NodeManager,name=NodeManagerMetrics"), attribute);
      return value instanceof Number number ? number.intValue() : UNKNOWN;
    } catch (JMException e) {
      // None before the NodeManager has registered it, or in one of another version.
      return UNKNOWN;
    }
  }
}
