// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.leak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.mammoth.compat.cluster.Engines;

/**
 * What an engine's process holds after a full collection.
 *
 * @param engine its process id
 */
public record Vitals(long engine, Map<Sign, Long> signs) {
  /** What is measured. */
  public enum Sign {
    HEAP_KB,
    METASPACE_KB,
    LOADERS,
    THREADS,
    FILES,
    RSS_KB
  }

  private static final Pattern HEAP =
      Pattern.compile("(?:PSYoungGen|ParOldGen)\\s+total \\d+K, used (\\d+)K");
  private static final Pattern METASPACE = Pattern.compile("Metaspace\\s+used (\\d+)K");
  private static final Pattern THREADS = Pattern.compile("Threads:\\s+(\\d+)");
  private static final Pattern RSS = Pattern.compile("VmRSS:\\s+(\\d+)");

  /** A line of the histogram: rank, instances, bytes, class. */
  private static final Pattern LOADERS =
      Pattern.compile(
          "(?m)^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+org\\.mammoth\\.engine\\.isolation\\.TaskClassLoader\\b");

  /**
   * Collects garbage twice, because loaders are unloaded after what held them is gone, and looks.
   */
  public static Vitals afterCollection(ProcessHandle engine)
      throws IOException, InterruptedException {
    Engines.command(engine, "GC.run");
    String histogram = Engines.command(engine, "GC.class_histogram");
    String heap = Engines.command(engine, "GC.heap_info");
    Path process = Path.of("/proc", Long.toString(engine.pid()));
    String status = Files.readString(process.resolve("status"));
    Map<Sign, Long> signs = new EnumMap<>(Sign.class);
    signs.put(Sign.HEAP_KB, sum(HEAP, heap));
    signs.put(Sign.METASPACE_KB, sum(METASPACE, heap));
    signs.put(Sign.LOADERS, LOADERS.matcher(histogram).find() ? sum(LOADERS, histogram) : 0L);
    signs.put(Sign.THREADS, sum(THREADS, status));
    signs.put(Sign.RSS_KB, sum(RSS, status));
    try (Stream<Path> files = Files.list(process.resolve("fd"))) {
      signs.put(Sign.FILES, files.count());
    }
    return new Vitals(engine.pid(), signs);
  }

  private static long sum(Pattern pattern, String text) throws IOException {
    Matcher matcher = pattern.matcher(text);
    long sum = 0;
    boolean found = false;
    while (matcher.find()) {
      sum += Long.parseLong(matcher.group(1));
      found = true;
    }
    if (!found) {
      throw new IOException("no " + pattern + " in " + text);
    }
    return sum;
  }

  /** One sign's value. */
  public long of(Sign sign) {
    return signs.get(sign);
  }

  @Override
  public String toString() {
    StringBuilder line = new StringBuilder().append(engine);
    for (Sign sign : Sign.values()) {
      line.append(',').append(of(sign));
    }
    return line.toString();
  }
}
