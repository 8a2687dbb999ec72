// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.mammoth.upgrade.tree.JavaProcess;
import org.mammoth.upgrade.tree.SiteConfig;

/**
 * Whether the memory that a NodeManager offers to YARN holds a job: an ApplicationMaster and a map
 * beside it. Where it does not, a job waits without a word.
 */
final class NodeMemory {

  private static final String OFFER = "yarn.nodemanager.resource.memory-mb";
  private static final String DETECT = "yarn.nodemanager.resource.detect-hardware-capabilities";
  private static final String RESERVED = "yarn.nodemanager.resource.system-reserved-memory-mb";
  private static final String SMALLEST = "yarn.scheduler.minimum-allocation-mb";
  private static final String MASTER = "yarn.app.mapreduce.am.resource.mb";
  private static final String MAP = "mapreduce.map.memory.mb";

  /** What yarn-env.sh of the release gives a NodeManager that is not told otherwise, MiB. */
  private static final long HEAP_MB = 1024;

  private static final long UPSTREAM_OFFER_MB = 8192;
  private static final double UPSTREAM_PART = 0.8;
  private static final Pattern LARGEST_HEAP = Pattern.compile("-xmx(\\d{1,15})([kmgt]?)");

  private final SiteConfig node;
  private final SiteConfig jobs;

  private NodeMemory(SiteConfig node, SiteConfig jobs) {
    this.node = node;
    this.jobs = jobs;
  }

  /**
   * Looks at this machine.
   *
   * @param node what its NodeManager reads
   * @param jobs what its clients' jobs start from
   * @param nodeManager the one that runs
   */
  static Optional<Finding> check(
      SiteConfig node, SiteConfig jobs, Optional<JavaProcess> nodeManager) throws IOException {
    Optional<Long> physicalMb = physicalMb(Path.of("/proc/meminfo"));
    return physicalMb.map(
        mb ->
            check(
                node,
                jobs,
                mb,
                nodeManager.map(process -> heapMb(process.words(), mb)).orElse(HEAP_MB)));
  }

  /**
   * The same for a machine of this size.
   *
   * @param physicalMb its memory, MiB
   * @param heapMb the largest heap of its NodeManager, MiB
   */
  static Finding check(SiteConfig node, SiteConfig jobs, long physicalMb, long heapMb) {
    return new NodeMemory(node, jobs).finding(physicalMb, heapMb);
  }

  private Finding finding(long physicalMb, long heapMb) {
    String id = "memory";
    long offer = offerMb(physicalMb, heapMb);
    long master = container(number(jobs, MASTER, 1536));
    long map = container(number(jobs, MAP, 1024));
    String text =
        String.format(
            Locale.ROOT,
            "%d MiB of %d for containers; an ApplicationMaster takes %d, a map %d",
            offer,
            physicalMb,
            master,
            map);
    if (offer >= master + map) {
      return Finding.ok(id, text);
    }
    String remedy =
        String.format(
            Locale.ROOT,
            "set %s in yarn-site.xml to %d or more, or %s and %s in mapred-site.xml to less;"
                + " containers are multiples of %s",
            OFFER,
            master + map,
            MASTER,
            MAP,
            SMALLEST);
    boolean isAlone =
        node.get("yarn.resourcemanager.hostname", "").matches("localhost|127\\..*|::1");
    return isAlone || offer < Math.max(master, map)
        ? Finding.error(id, text + ": a job waits here for ever", remedy)
        : Finding.warning(id, text + ": a job's first map does not fit beside its master", remedy);
  }

  /** As upstream's NodeManagerHardwareUtils has it. */
  private long offerMb(long physicalMb, long heapMb) {
    long told = number(node, OFFER, -1);
    if (told >= 0) {
      return told;
    }
    if (!node.isTrue(DETECT, false)) {
      return UPSTREAM_OFFER_MB;
    }
    long reserved = number(node, RESERVED, -1);
    double rest = reserved >= 0 ? physicalMb - reserved : UPSTREAM_PART * (physicalMb - 2 * heapMb);
    return Math.max(0, (long) rest);
  }

  /** What the scheduler makes of a request. */
  private long container(long wantedMb) {
    long step = Math.max(1, number(node, SMALLEST, 1024));
    return Math.max(1, (wantedMb + step - 1) / step) * step;
  }

  /** A number that is negative stands for upstream's default, as one that is none. */
  private static long number(SiteConfig conf, String key, long otherwise) {
    String value = conf.get(key, "");
    return value.matches("\\d{1,15}") ? Long.parseLong(value) : otherwise;
  }

  /** Of a command line; a JVM that is not told takes a quarter of the machine. */
  private static long heapMb(List<String> words, long physicalMb) {
    return words.stream()
        .map(word -> LARGEST_HEAP.matcher(word.toLowerCase(Locale.ROOT)))
        .filter(Matcher::matches)
        .map(size -> Long.parseLong(size.group(1)) * unit(size.group(2)) >> 20)
        .reduce((first, last) -> last)
        .orElse(physicalMb / 4);
  }

  private static long unit(String letter) {
    return letter.isEmpty() ? 1 : 1L << 10 * ("kmgt".indexOf(letter) + 1);
  }

  private static Optional<Long> physicalMb(Path meminfo) throws IOException {
    try (Stream<String> lines = Files.lines(meminfo)) {
      return lines
          .filter(line -> line.startsWith("MemTotal:"))
          .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
          .findFirst();
    }
  }
}
