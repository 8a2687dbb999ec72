// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Locale;
import org.mammoth.api.status.CacheAnswers;
import org.mammoth.api.status.CacheDataSets;
import org.mammoth.api.status.CacheDataSets.DataSet;
import org.mammoth.api.status.CacheDataSets.Departure;
import org.mammoth.api.status.CacheReport;
import org.mammoth.api.status.CacheTrace;

/** The master's answers as text. */
final class CacheText {

  private static final long MIB = 1L << 20;

  private CacheText() {}

  static void report(PrintWriter out, CacheReport report) {
    out.printf(
        Locale.ROOT,
        "policy %s; %d data sets known, %d cached, %d of them wholly%n",
        report.policy(),
        report.knownDataSets(),
        report.cachedDataSets(),
        report.completeDataSets());
    out.printf(
        Locale.ROOT,
        "%d hits, %d misses, hit rate %.3f; %d of %d reads of a data set began with all of it"
            + " cached%n",
        report.hits(),
        report.misses(),
        report.hitRate(),
        report.roundsComplete(),
        report.rounds());
    report
        .refusals()
        .forEach((reason, count) -> out.printf("%d not admitted: %s%n", count, reason));
    report
        .slaves()
        .forEach(
            (slave, space) ->
                out.printf(
                    "%s: input %d of %d MiB, localized %d of %d MiB%n",
                    slave,
                    space.inputUsed() / MIB,
                    space.inputCapacity() / MIB,
                    space.localizedUsed() / MIB,
                    space.localizedCapacity() / MIB));
  }

  static void dataSets(PrintWriter out, CacheDataSets answer) {
    for (DataSet set : answer.dataSets()) {
      out.printf(
          Locale.ROOT,
          "%s: %d of %d blocks%s, %d bytes, read %d times, %d block hits, priority %.2f%s; %s%n",
          set.path(),
          set.cachedBlocks(),
          set.blocks(),
          set.complete() ? " (complete)" : "",
          set.copyBytes(),
          set.accesses(),
          set.hits(),
          set.priority(),
          set.pinned() ? ", pinned" : "",
          why(set));
    }
    for (DataSet set : answer.absent()) {
      out.printf("%s: not cached, read %d times; %s%n", set.path(), set.accesses(), why(set));
    }
  }

  private static String why(DataSet set) {
    String admission = "last admission " + set.admission();
    Departure departure = set.departure();
    if (departure == null) {
      return admission;
    }
    String by = departure.by();
    return admission + ", last eviction " + departure.cause() + (by.isEmpty() ? "" : " by " + by);
  }

  static void policy(PrintWriter out, JsonNode answer) {
    out.println(answer.path("policy").asText());
    answer
        .path("settings")
        .fields()
        .forEachRemaining(
            setting -> out.printf("%s = %s%n", setting.getKey(), setting.getValue().asText()));
  }

  static void evicted(PrintWriter out, CacheAnswers.Evicted answer) {
    out.printf("%d copies at or below %s leave the cache%n", answer.copies(), answer.path());
  }

  static void warmed(PrintWriter out, CacheAnswers.Warmed answer) {
    out.printf(
        "%d blocks of %s, %d bytes, are proposed to their slaves; %d have none%s%n",
        answer.blocks(),
        answer.path(),
        answer.bytes(),
        answer.blocksWithoutSlave(),
        answer.more() ? "; there are more, ask for parts of the path" : "");
  }

  static void pinned(PrintWriter out, CacheAnswers.Pinned answer) {
    out.printf(
        "%s is %s; %d data sets changed%n",
        answer.path(), answer.pinned() ? "pinned" : "not pinned", answer.sets());
  }

  static void trace(PrintWriter out, CacheTrace answer) {
    out.println("# type\tdata set\tblocks\tbytes per block\tlocalized bytes");
    for (CacheTrace.Round round : answer.rounds()) {
      out.printf("recorded\t%s\t%d\t%d\t0%n", round.path(), round.blocks(), round.blockBytes());
    }
  }
}
