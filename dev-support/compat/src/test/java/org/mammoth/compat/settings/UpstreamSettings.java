// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings that a job may be given, from the default files of the Hadoop that is on the class path:
 * every key whose default is a number, a size, a time or a truth value, and a value that is not the
 * default. Which keys there are is upstream's to say.
 */
final class UpstreamSettings {

  private static final List<String> FILES =
      List.of("mapred-default.xml", "core-default.xml", "hdfs-default.xml", "yarn-default.xml");

  /** What a job's client, its ApplicationMaster or its tasks read. */
  private static final Pattern OF_JOBS =
      Pattern.compile(
          "(mapreduce|mapred|yarn\\.app\\.mapreduce|io|file|seqfile|map\\.sort)\\..*"
              + "|fs\\.(?!s3|azure|abfs|adl|AbstractFileSystem|ftp|wasb|gs|oss|cosn|viewfs).*"
              + "|ipc\\.client\\..*"
              + "|yarn\\.(client|nodemanager\\.log-container|ipc)\\..*"
              + "|hadoop\\.(tmp|util|io|caller|rpc|metrics|htrace)\\..*"
              + "|dfs\\.(client|blocksize|bytes-per|checksum|replication|stream-buffer|user).*");

  /** What only daemons read, and what would leave a job waiting for a node of another size. */
  private static final Pattern NOT_OF_JOBS =
      Pattern.compile(
          "mapreduce\\.(jobhistory|shuffle|cluster|jobtracker)\\..*"
              + "|.*(memory[.-]mb|resource\\.mb|vcores)"
              + "|io\\.erasurecode.*"
              // It ends jobs that take a moment longer, here as there.
              + "|mapreduce\\.task\\.timeout|.*\\.kill-timeout-ms"
              + "|yarn\\.client\\.application-client-protocol\\.poll-timeout-ms"
              // Without it stock's own processes do not start under Java 17.
              + "|mapreduce\\.jvm\\.add-opens-as-default"
              // Stock's client ends where no socket is named; engines have a client already.
              + "|dfs\\.client\\.(read\\.shortcircuit|domain\\.socket\\.data\\.traffic)"
              // What is alive when is a matter of time.
              + "|.*speculative.*");

  private static final Pattern TIME =
      Pattern.compile(".*(time|interval|delay|period|expiry|ms|secs|seconds|backoff|window).*");

  private static final Pattern NUMBER = Pattern.compile("(-?\\d+)(\\.\\d+)?([a-zA-Z]{0,2})");

  private static final String NO_CLASS = "org.example.Missing";

  /** Values for keys whose default is a text. */
  private static final Map<String, List<String>> TEXTS =
      Map.ofEntries(
          Map.entry("yarn.app.mapreduce.am.log.level", List.of("WARN", "DEBUG", "none")),
          Map.entry("mapreduce.map.log.level", List.of("WARN", "DEBUG", "OFF")),
          Map.entry("mapreduce.reduce.log.level", List.of("ERROR", "TRACE", "none")),
          Map.entry(
              "mapreduce.output.fileoutputformat.compress.type", List.of("NONE", "BLOCK", "none")),
          Map.entry(
              "mapreduce.output.fileoutputformat.compress.codec",
              List.of("org.apache.hadoop.io.compress.GzipCodec", NO_CLASS)),
          Map.entry(
              "mapreduce.map.output.compress.codec",
              List.of("org.apache.hadoop.io.compress.GzipCodec", NO_CLASS)),
          // With none a process of stock's waits for ever.
          Map.entry("mapreduce.reduce.shuffle.parallelcopies", List.of("1", "50")),
          Map.entry("map.sort.class", List.of("org.apache.hadoop.util.HeapSort", NO_CLASS)),
          Map.entry("mapreduce.job.map.output.collector.class", List.of(NO_CLASS)),
          Map.entry("mapreduce.job.reduce.shuffle.consumer.plugin.class", List.of(NO_CLASS)),
          Map.entry("mapreduce.job.sharedcache.mode", List.of("enabled", "none")),
          Map.entry("mapreduce.job.queuename", List.of("none", "root.default")),
          Map.entry("mapreduce.job.tags", List.of("a,b")),
          Map.entry("mapreduce.job.acl-view-job", List.of("*", "alice people")),
          Map.entry("mapreduce.job.node-label-expression", List.of("nowhere")),
          Map.entry("mapreduce.job.end-notification.url", List.of("http://localhost:1/?j=$jobId")),
          Map.entry("mapred.child.java.opts", List.of("-Xmx300m -Dx=1", "-Xmx1")),
          Map.entry("mapred.child.env", List.of("A=1,B=$A", "A")),
          Map.entry("mapreduce.admin.user.env", List.of("A=1")),
          Map.entry("yarn.app.mapreduce.am.env", List.of("A=1")),
          Map.entry("yarn.app.mapreduce.am.command-opts", List.of("-Xmx200m -Dx=1", "-Xmx1")),
          Map.entry("yarn.app.mapreduce.am.job.client.port-range", List.of("51100-51200")),
          Map.entry("mapreduce.jvm.system-properties-to-log", List.of("user.dir", "none")),
          Map.entry("mapreduce.job.redacted-properties", List.of("mapreduce.job.name")),
          Map.entry(
              "mapreduce.outputcommitter.factory.class",
              List.of(
                  "org.apache.hadoop.mapreduce.lib.output.FileOutputCommitterFactory", NO_CLASS)),
          Map.entry("mapreduce.reduce.shuffle.fetch.retry.enabled", List.of("true", "false")),
          Map.entry("mapreduce.job.ubertask.maxbytes", List.of("1")),
          Map.entry("mapreduce.job.hdfs-servers", List.of("hdfs://localhost:1")),
          Map.entry("dfs.checksum.type", List.of("CRC32", "NULL", "none")),
          Map.entry("dfs.client.block.write.replace-datanode-on-failure.policy", List.of("NEVER")),
          Map.entry(
              "io.compression.codecs",
              List.of("org.apache.hadoop.io.compress.GzipCodec", NO_CLASS)),
          Map.entry("io.serializations", List.of(NO_CLASS)),
          Map.entry("fs.permissions.umask-mode", List.of("077", "u=rwx,g=,o=", "none")));

  /** One that is not upstream's default. */
  record Setting(String key, String value) {
    @Override
    public String toString() {
      return key + "=" + value;
    }
  }

  private final Map<String, String> defaults = new TreeMap<>();

  /** Reads the default files. */
  UpstreamSettings() {
    Configuration conf = new Configuration(false);
    FILES.forEach(conf::addResource);
    for (Map.Entry<String, String> each : conf) {
      String key = each.getKey();
      String value = Objects.requireNonNullElse(conf.getRaw(key), "");
      if (OF_JOBS.matcher(key).matches()
          && !NOT_OF_JOBS.matcher(key).matches()
          && !others(key, value.trim()).isEmpty()) {
        defaults.put(key, value.trim());
      }
    }
  }

  /** All keys. */
  List<String> keys() {
    return List.copyOf(defaults.keySet());
  }

  /** Some of them, each once, in the order of a deck that is dealt out before it is shuffled. */
  List<Setting> draw(long from, int count, long deckSeed) {
    List<Setting> drawn = new ArrayList<>();
    for (long i = from * count; i < (from + 1) * count; i++) {
      List<String> deck = new ArrayList<>(defaults.keySet());
      long round = i / deck.size();
      Collections.shuffle(deck, new Random(deckSeed + round));
      String key = deck.get((int) (i % deck.size()));
      List<String> values = others(key, defaults.get(key));
      drawn.add(new Setting(key, values.get(new Random(deckSeed * 31 + i).nextInt(values.size()))));
    }
    return drawn;
  }

  /** Values of the kind of the default that are not the default. */
  private static List<String> others(String key, String value) {
    if (TEXTS.containsKey(key)) {
      return TEXTS.get(key);
    }
    if (value.equals("true") || value.equals("false")) {
      return List.of(String.valueOf(value.equals("false")));
    }
    Matcher number = NUMBER.matcher(value);
    if (!number.matches()) {
      return List.of();
    }
    if (number.group(2) != null) {
      double before = Double.parseDouble(number.group(1) + number.group(2));
      return List.of(
          String.valueOf(before / 2),
          String.valueOf((1 + before) / 2),
          "0.01",
          "0.99",
          "0",
          "1.5",
          "-0.5");
    }
    long before = Long.parseLong(number.group(1));
    String unit = number.group(3);
    List<Long> candidates =
        TIME.matcher(key).matches() || !unit.isEmpty()
            ? Arrays.asList(before / 2, before * 2)
            : Arrays.asList(
                0L, 1L, 2L, before / 2, before - 1, before + 1, before * 2, before * 10);
    return candidates.stream()
        .distinct()
        .filter(candidate -> candidate != before)
        .map(candidate -> candidate + unit)
        .toList();
  }
}
