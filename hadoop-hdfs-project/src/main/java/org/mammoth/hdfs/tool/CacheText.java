// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Locale;

/** The master's answers as text. */
final class CacheText {

  private static final long MIB = 1L << 20;

  private CacheText() {}

  static void report(PrintWriter out, JsonNode report) {
    out.printf(
        Locale.ROOT,
        "policy %s; %d data sets known, %d cached, %d of them wholly%n",
        report.path("policy").asText(),
        report.path("knownDataSets").asInt(),
        report.path("cachedDataSets").asInt(),
        report.path("completeDataSets").asInt());
    out.printf(
        Locale.ROOT,
        "%d hits, %d misses, hit rate %.3f; %d of %d reads of a data set began with all of it"
            + " cached%n",
        report.path("hits").asLong(),
        report.path("misses").asLong(),
        report.path("hitRate").asDouble(),
        report.path("roundsComplete").asLong(),
        report.path("rounds").asLong());
    report
        .path("refusals")
        .fields()
        .forEachRemaining(
            reason ->
                out.printf("%d not admitted: %s%n", reason.getValue().asLong(), reason.getKey()));
    report
        .path("slaves")
        .fields()
        .forEachRemaining(
            slave ->
                out.printf(
                    "%s: input %d of %d MiB, localized %d of %d MiB%n",
                    slave.getKey(),
                    slave.getValue().path("inputUsed").asLong() / MIB,
                    slave.getValue().path("inputCapacity").asLong() / MIB,
                    slave.getValue().path("localizedUsed").asLong() / MIB,
                    slave.getValue().path("localizedCapacity").asLong() / MIB));
  }

  static void dataSets(PrintWriter out, JsonNode answer) {
    for (JsonNode set : answer.path("dataSets")) {
      out.printf(
          Locale.ROOT,
          "%s: %d of %d blocks%s, %d bytes, read %d times, %d block hits, priority %.2f%s; %s%n",
          set.path("path").asText(),
          set.path("cachedBlocks").asInt(),
          set.path("blocks").asInt(),
          set.path("complete").asBoolean() ? " (complete)" : "",
          set.path("copyBytes").asLong(),
          set.path("accesses").asLong(),
          set.path("hits").asLong(),
          set.path("priority").asDouble(),
          set.path("pinned").asBoolean() ? ", pinned" : "",
          why(set));
    }
    for (JsonNode set : answer.path("absent")) {
      out.printf(
          "%s: not cached, read %d times; %s%n",
          set.path("path").asText(), set.path("accesses").asLong(), why(set));
    }
  }

  private static String why(JsonNode set) {
    String admission = "last admission " + set.path("admission").asText();
    JsonNode departure = set.path("departure");
    if (departure.isMissingNode()) {
      return admission;
    }
    String by = departure.path("by").asText("");
    return admission
        + ", last eviction "
        + departure.path("cause").asText()
        + (by.isEmpty() ? "" : " by " + by);
  }

  static void policy(PrintWriter out, JsonNode answer) {
    out.println(answer.path("policy").asText());
    answer
        .path("settings")
        .fields()
        .forEachRemaining(
            setting -> out.printf("%s = %s%n", setting.getKey(), setting.getValue().asText()));
  }

  static void evicted(PrintWriter out, JsonNode answer) {
    out.printf(
        "%d copies at or below %s leave the cache%n",
        answer.path("copies").asInt(), answer.path("path").asText());
  }

  static void warmed(PrintWriter out, JsonNode answer) {
    out.printf(
        "%d blocks of %s, %d bytes, are proposed to their slaves; %d have none%s%n",
        answer.path("blocks").asLong(),
        answer.path("path").asText(),
        answer.path("bytes").asLong(),
        answer.path("blocksWithoutSlave").asLong(),
        answer.path("more").asBoolean() ? "; there are more, ask for parts of the path" : "");
  }

  static void pinned(PrintWriter out, JsonNode answer) {
    out.printf(
        "%s is %s; %d data sets changed%n",
        answer.path("path").asText(),
        answer.path("pinned").asBoolean() ? "pinned" : "not pinned",
        answer.path("sets").asInt());
  }

  static void trace(PrintWriter out, JsonNode answer) {
    out.println("# type\tdata set\tblocks\tbytes per block\tlocalized bytes");
    for (JsonNode round : answer.path("rounds")) {
      out.printf(
          "recorded\t%s\t%d\t%d\t0%n",
          round.path("path").asText(),
          round.path("blocks").asInt(),
          round.path("blockBytes").asLong());
    }
  }
}
