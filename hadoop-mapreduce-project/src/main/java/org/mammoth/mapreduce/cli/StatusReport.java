// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Duration;

/** The engines of a node in short, as text. */
final class StatusReport {

  private static final long MIB = 1L << 20;

  private StatusReport() {}

  static void print(PrintWriter out, String address, JsonNode report) {
    out.printf(
        "%s: engine %s, %d of %d MiB admitted to %d tasks, %d fall-backs%n",
        address,
        report.path("enabled").asBoolean() ? "on" : "off",
        report.path("admittedMb").asLong(),
        report.path("shareMb").asLong(),
        report.path("admittedTasks").asInt(),
        report.path("fallbacks").asLong());
    report
        .path("fallbackReasons")
        .fields()
        .forEachRemaining(
            reason -> out.printf("  %d because %s%n", reason.getValue().asLong(), reason.getKey()));
    report.path("engines").forEach(engine -> printEngine(out, "engine", engine));
    report.path("appMasterHosts").forEach(host -> printEngine(out, "appmaster host", host));
  }

  private static void printEngine(PrintWriter out, String kind, JsonNode engine) {
    out.printf(
        "  %s of %s, pid %d, up %s: %d running, %d started, %d aborted;"
            + " heap %d of %d MiB, rss %d MiB, gc %d ms%s%n",
        kind,
        engine.path("user").asText(),
        engine.path("pid").asLong(),
        Duration.ofSeconds(engine.path("uptimeMs").asLong() / 1000),
        engine.path("tasksRunning").asInt(),
        engine.path("tasksStarted").asLong(),
        engine.path("tasksAborted").asLong(),
        engine.path("heapUsedBytes").asLong() / MIB,
        engine.path("heapMaxBytes").asLong() / MIB,
        engine.path("residentBytes").asLong() / MIB,
        engine.path("gcMs").asLong(),
        engine.path("draining").asText().isEmpty()
            ? ""
            : ", draining: " + engine.path("draining").asText());
    engine
        .path("tasks")
        .forEach(
            task ->
                out.printf(
                    "    %s, %d MiB, %s%s%n",
                    task.path("attempt").asText(),
                    task.path("memoryMb").asLong(),
                    Duration.ofSeconds(task.path("runningMs").asLong() / 1000),
                    programs(task)));
  }

  private static String programs(JsonNode task) {
    int programs = task.path("programs").asInt();
    return programs == 0
        ? ""
        : String.format(
            ", %d %s with %d MiB",
            programs,
            programs == 1 ? "program" : "programs",
            task.path("programBytes").asLong() / MIB);
  }
}
