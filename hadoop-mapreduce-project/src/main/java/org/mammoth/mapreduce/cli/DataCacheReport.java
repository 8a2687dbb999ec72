// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import org.mammoth.api.status.DataCacheUse;
import org.mammoth.api.status.NodeSnapshot;

/** The data caches of a node's engines as text. */
final class DataCacheReport {

  private final PrintWriter out;

  DataCacheReport(PrintWriter out) {
    this.out = out;
  }

  /** One line about a data cache, nothing where there is none. */
  static void summary(PrintWriter out, String indent, DataCacheUse cache) {
    if (cache != null) {
      long opened = cache.hits() + cache.misses();
      out.printf(
          "%sdata cache: %s of up to %s in %d file set%s; %d of %d files opened were in memory (%s),"
              + " %s read from it, %s given up%n",
          indent,
          Units.bytes(cache.heldBytes()),
          Units.bytes(cache.limitBytes()),
          cache.sets().size(),
          cache.sets().size() == 1 ? "" : "s",
          cache.hits(),
          opened,
          Units.percent(cache.hits(), opened),
          Units.bytes(cache.readBytes()),
          Units.bytes(cache.givenUpBytes()));
    }
  }

  /** What {@code -list} prints of a node. */
  void list(String address, NodeSnapshot node) {
    boolean any =
        node.engines().stream()
            .anyMatch(engine -> engine.snapshot() != null && engine.snapshot().dataCache() != null);
    out.printf(
        "%s%s%n", address, any ? ":" : ": no engine has a data cache (mammoth.data-cache.enabled)");
    for (NodeSnapshot.Engine engine : node.engines()) {
      if (engine.snapshot() != null && engine.snapshot().dataCache() != null) {
        out.printf("  engine %s of %s%n", engine.engineId(), engine.user());
        summary(out, "    ", engine.snapshot().dataCache());
        sets(engine.snapshot().dataCache());
      }
    }
  }

  /** The same as JSON: data caches by id of their engine. */
  static ObjectNode json(ObjectMapper json, NodeSnapshot node) {
    ObjectNode engines = json.createObjectNode();
    for (NodeSnapshot.Engine engine : node.engines()) {
      if (engine.snapshot() != null && engine.snapshot().dataCache() != null) {
        engines.set(engine.engineId(), json.valueToTree(engine.snapshot().dataCache()));
      }
    }
    return engines;
  }

  private void sets(DataCacheUse cache) {
    TextTable table =
        new TextTable("FOLDER", "JOB", "FILES", "BYTES", "HELD", "WHOLE", "READ", "AGE");
    for (DataCacheUse.Set set : cache.sets()) {
      table.row(
          set.folder(),
          set.job(),
          set.files(),
          Units.bytes(set.bytes()),
          Units.bytes(set.heldBytes()),
          set.complete() ? "yes" : "no",
          Units.bytes(set.readBytes()),
          Units.time(set.ageMs()));
    }
    table.print(out, "    ");
  }
}
